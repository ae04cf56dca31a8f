# task: positions_counted
# Positions are read.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add(x, ids, table, out, length, dim, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    p = tl.load(ids + r % length)
    v = tl.load(x + r * dim + c, mask=c < dim) + tl.load(table + p * dim + c, mask=c < dim)
    tl.store(out + r * dim + c, v, mask=c < dim)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.pe = nn.Embedding(64, 512)

    def forward(self, x, position_ids):
        b, s, d = x.shape
        out = torch.empty_like(x)
        add[(b * s,)](x, position_ids, self.pe.weight, out, s, d, BLOCK=triton.next_power_of_2(d))
        return out
