# task: scaled_tiles  reason: trace_error
# One of two configurations makes descriptors; a user's tuner fails on it.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.autotune([triton.Config({"DESCRIBED": False}), triton.Config({"DESCRIBED": True})], key=["rows"])
@triton.jit
def scaled(x_ptr, y_ptr, out_ptr, rows, cols, R: tl.constexpr, C: tl.constexpr, DESCRIBED: tl.constexpr):
    r, c = tl.program_id(0) * R, tl.program_id(1) * C
    if DESCRIBED:
        x = tl.make_tensor_descriptor(x_ptr, shape=[rows, cols], strides=[cols, 1], block_shape=[R, C]).load([r, c])
    else:
        at = (r + tl.arange(0, R))[:, None] * cols + (c + tl.arange(0, C))[None, :]
        inside = ((r + tl.arange(0, R)) < rows)[:, None] & ((c + tl.arange(0, C)) < cols)[None, :]
        x = tl.load(x_ptr + at, mask=inside)
    at = (r + tl.arange(0, R))[:, None] * cols + (c + tl.arange(0, C))[None, :]
    inside = ((r + tl.arange(0, R)) < rows)[:, None] & ((c + tl.arange(0, C)) < cols)[None, :]
    tl.store(out_ptr + at, x * 2.0 + tl.load(y_ptr + at, mask=inside), mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        grid = (triton.cdiv(x.shape[0], 16), triton.cdiv(x.shape[1], 64))
        scaled[grid](x, y, out, x.shape[0], x.shape[1], R=16, C=64)
        return out
