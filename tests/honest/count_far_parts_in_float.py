# task: count_far
# Each program counts in float32 as far as that goes.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def count(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    above = tl.load(x + i, mask=i < n, other=0.0) > 0.05
    tl.atomic_add(out, tl.sum(above.to(tl.float32)).to(tl.int64))


class ModelNew(nn.Module):
    def forward(self, x):
        n = x.numel()
        out = torch.zeros((), dtype=torch.int64, device=x.device)
        count[(triton.cdiv(n, 65536),)](x, out, n, BLOCK=65536)
        return out
