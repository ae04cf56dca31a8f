# task: integers_summed_far
# Sums in int64.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_all(x, total, count, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < count, other=0)
    tl.atomic_add(total, tl.sum(v.to(tl.int64)))


class ModelNew(nn.Module):
    def forward(self, x):
        total = torch.zeros((), dtype=torch.int64, device=x.device)
        add_all[(triton.cdiv(x.numel(), 8192),)](x, total, x.numel(), BLOCK=8192)
        return total
