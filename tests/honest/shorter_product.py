# task: products_of_rows
# A product over the row.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def times(a, b):
    return a * b


@triton.jit
def row(x, out, cols, used, BLOCK: tl.constexpr):
    r = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, BLOCK)
    v = 1.0 + 0.01 * tl.load(x + r * cols + c, mask=c < used, other=0.0)
    tl.store(out + r, tl.reduce(tl.where(c < used, v, 1.0), 0, times))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        out = torch.empty(rows, device=x.device)
        row[(rows,)](x, out, cols, cols, BLOCK=triton.next_power_of_2(cols))
        return out
