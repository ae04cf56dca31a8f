# task: odd_rows
# What is promised of pointers one element further on is folded away with the step back.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def double(x_ptr, y_ptr, cols, BLOCK: tl.constexpr):
    row, col = tl.program_id(0), tl.arange(0, BLOCK)
    source, target = x_ptr + row * cols + col, y_ptr + row * cols + col
    source = tl.multiple_of(source + 1, 16) - 1
    tl.store(target, 2.0 * tl.load(source, mask=col < cols), mask=col < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        double[(x.shape[0],)](x, y, x.shape[1], BLOCK=128)
        return y
