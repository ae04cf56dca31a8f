# task: softmax  reason: grid_too_large
# One program for each element of each row and column, along the axis that takes 65,535 programs.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax_row(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(1) // cols
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + col, mask=col < cols, other=float("-inf"))
    exponent = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * cols + col, exponent / tl.sum(exponent, axis=0), mask=col < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        out = torch.empty_like(x)
        softmax_row[(1, rows * cols)](x, out, cols, BLOCK=triton.next_power_of_2(cols))
        return out
