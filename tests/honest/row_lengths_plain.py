# task: row_lengths
# As the reference.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, y, z, cols, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + i, mask=i < cols, other=0.0)
    s, t = tl.sum(v * v, axis=0), tl.sum(tl.abs(v), axis=0)
    a, b = tl.sqrt(s), t
    tl.store(y + row, a)
    tl.store(z + row, b)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        y, z = x.new_empty(rows), x.new_empty(rows)
        run[(rows,)](x, y, z, cols, BLOCK=triton.next_power_of_2(cols))
        return y, z
