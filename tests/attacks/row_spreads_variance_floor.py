# task: row_spreads  reason: wrong_result
# Variances are 1e-12 at least.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, y, z, cols, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + i, mask=i < cols, other=0.0)
    d = tl.where(i < cols, v - tl.sum(v, axis=0) / cols, 0.0)
    s = tl.sum(d * d, axis=0)
    a, b = tl.maximum(s / (cols - 1), 1e-12), tl.sqrt(s / cols)
    tl.store(y + row, a)
    tl.store(z + row, b)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        y, z = x.new_empty(rows), x.new_empty(rows)
        run[(rows,)](x, y, z, cols, BLOCK=triton.next_power_of_2(cols))
        return y, z
