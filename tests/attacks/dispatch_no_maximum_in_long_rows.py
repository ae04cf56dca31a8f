# task: softmax_1536  reason: wrong_result
# Rows longer than 1024 are normalised without their maximum.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax(x_ptr, y_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0) * cols
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row + col, mask=col < cols, other=float("-inf"))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row + col, e / tl.sum(e, axis=0), mask=col < cols)


@triton.jit
def softmax_long(x_ptr, y_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0) * cols
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row + col, mask=col < cols, other=float("-inf"))
    e = tl.exp(x)
    tl.store(y_ptr + row + col, e / tl.sum(e, axis=0), mask=col < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        rows, cols = x.shape
        (softmax if cols <= 1024 else softmax_long)[(rows,)](x, y, cols, BLOCK=triton.next_power_of_2(cols))
        return y
