# task: scaled_tiles
# The allocator is a function of the file's, set when it is read.
import torch
import torch.nn as nn
import triton
import triton.language as tl


def workspace(size, alignment, stream):
    return torch.empty(size, device="cuda", dtype=torch.uint8)


triton.set_allocator(workspace)


@triton.jit
def scaled(x_ptr, y_ptr, out_ptr, rows, cols, R: tl.constexpr, C: tl.constexpr):
    x = tl.make_tensor_descriptor(x_ptr, shape=[rows, cols], strides=[cols, 1], block_shape=[R, C])
    y = tl.make_tensor_descriptor(y_ptr, shape=[rows, cols], strides=[cols, 1], block_shape=[R, C])
    out = tl.make_tensor_descriptor(out_ptr, shape=[rows, cols], strides=[cols, 1], block_shape=[R, C])
    r, c = tl.program_id(0) * R, tl.program_id(1) * C
    out.store([r, c], x.load([r, c]) * 2.0 + y.load([r, c]))


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        grid = (triton.cdiv(x.shape[0], 16), triton.cdiv(x.shape[1], 64))
        scaled[grid](x, y, out, x.shape[0], x.shape[1], R=16, C=64)
        return out
