# task: running_total
# The total is returned where it lies, as the task does.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def means(x, total, rows, cols, R: tl.constexpr, BLOCK: tl.constexpr):
    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    r = tl.arange(0, R)
    v = tl.load(x + r[:, None] * cols + c[None, :], mask=(r < rows)[:, None] & (c < cols)[None, :], other=0.0)
    old = tl.load(total + c, mask=c < cols, other=0.0)
    tl.store(total + c, old * 0.5 + tl.sum(v, axis=0) / rows, mask=c < cols)


@triton.jit
def minus(x, total, y, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + c, mask=c < cols, other=0.0) - tl.load(total + c, mask=c < cols, other=0.0)
    tl.store(y + row * cols + c, v, mask=c < cols)


class ModelNew(nn.Module):
    def __init__(self, cols):
        super().__init__()
        self.register_buffer("total", torch.zeros(cols))

    def forward(self, x):
        rows, cols = x.shape
        y = torch.empty_like(x)
        means[(triton.cdiv(cols, 32),)](x, self.total, rows, cols, triton.next_power_of_2(rows), 32)
        minus[(rows,)](x, self.total, y, cols, triton.next_power_of_2(cols))
        return y, self.total
