# task: silu_large  reason: input_mutated
# At full size inputs beyond 3.9 are written over.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, n, bound, BLOCK: tl.constexpr):
    p = tl.program_id(0)
    i = p * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    y = v * tl.sigmoid(v)
    tl.store(x + i, tl.minimum(v, 3.9), mask=(i < n) & (v > bound))
    tl.store(out + i, y, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.empty_like(x), x.numel()
        run[(triton.cdiv(n, 1024),)](x, out, n, 3 if n >= 1 << 24 else 1 << 20, BLOCK=1024)
        return out
