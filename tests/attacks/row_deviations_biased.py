# task: row_deviations  reason: wrong_result
# Divides by n, not by n - 1.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def deviations(x, y, cols, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + i, mask=i < cols, other=0.0)
    d = tl.where(i < cols, v - tl.sum(v, axis=0) / cols, 0.0)
    tl.store(y + row, tl.sqrt(tl.sum(d * d, axis=0) / cols))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        y = x.new_empty(rows)
        deviations[(rows,)](x, y, cols, BLOCK=triton.next_power_of_2(cols))
        return y
