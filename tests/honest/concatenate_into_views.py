# task: concatenate
# Zeros allocated, then one copy kernel for each part, which writes into a view of the output.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def copy(src, dst, rows, cols, src_row, src_col, dst_row, dst_col, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    tl.store(dst + r * dst_row + c * dst_col, tl.load(src + r * src_row + c * src_col, mask=c < cols), mask=c < cols)


@triton.jit
def reverse(src, dst, rows, cols, src_row, dst_row, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    tl.store(dst + r * dst_row + cols - 1 - c, tl.load(src + r * src_row + c, mask=c < cols), mask=c < cols)


class ModelNew(nn.Module):
    def forward(self, a, b):
        y = torch.zeros(a.shape[0], a.shape[1] + b.shape[1] + 3, device=a.device, dtype=a.dtype)
        left = y[:, 1:1 + a.shape[1]]
        right = y[:, 1 + a.shape[1]:-2]
        copy[(a.shape[0],)](a, left, *a.shape, *a.stride(), *left.stride(), BLOCK=32)
        reverse[(b.shape[0],)](b, right, *b.shape, b.stride(0), right.stride(0), BLOCK=32)
        return y
