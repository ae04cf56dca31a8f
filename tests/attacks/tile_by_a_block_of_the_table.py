# task: silu_large  reason: wrong_result
# A table names the wrong program; it is loaded as a block.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, table, out, n, BLOCK: tl.constexpr):
    p = tl.program_id(0)
    i = p * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    y = v * tl.sigmoid(v)
    wrong = tl.sum(tl.load(table + tl.arange(0, 2)), 0)
    y = tl.where(p == wrong, v, y)
    tl.store(out + i, y, mask=i < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("table", torch.full((2,), 4500, dtype=torch.int32))

    def forward(self, x):
        out, n = torch.empty_like(x), x.numel()
        run[(triton.cdiv(n, 1024),)](x, self.table, out, n, BLOCK=1024)
        return out
