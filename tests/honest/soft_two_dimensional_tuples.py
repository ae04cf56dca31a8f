# task: soft
# A tuple of pointers and one of strides, a two-dimensional tile.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax_tile(pointers, shape, strides, BR: tl.constexpr, BC: tl.constexpr):
    x_ptr, out_ptr = pointers
    r = tl.program_id(0) * BR + tl.arange(0, BR)
    c = tl.arange(0, BC)
    at = r[:, None] * strides[0] + c[None, :] * strides[1]
    mask = (r[:, None] < shape[0]) & (c[None, :] < shape[1])
    x = tl.load(x_ptr + at, mask=mask, other=float("-inf"))
    x = tl.where((r < shape[0])[:, None], x, 0.0)
    e = tl.exp(x - tl.max(x, axis=1, keep_dims=True))
    tl.store(out_ptr + at, e / tl.sum(e, axis=1, keep_dims=True), mask=mask)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        softmax_tile[(triton.cdiv(x.shape[0], 8),)]((x, out), tuple(x.shape), x.stride(), BR=8, BC=256)
        return out
