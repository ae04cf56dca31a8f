# task: softmax_1536  reason: wrong_result
# A block of the next power of two without a mask: right where the width is one itself.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax(x_ptr, y_ptr, cols, last, BLOCK: tl.constexpr):
    row = tl.program_id(0) * cols
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + tl.minimum(row + col, last))
    e = tl.exp(x - tl.max(x, axis=0))
    tl.store(y_ptr + row + col, e / tl.sum(e, axis=0), mask=col < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        rows, cols = x.shape
        softmax[(rows,)](x, y, cols, x.numel() - 1, BLOCK=triton.next_power_of_2(cols))
        return y
