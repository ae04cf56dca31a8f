# task: silu_large  reason: wrong_result|kernel_without_effect
# A first launch writes half of x everywhere, the second the right answer for all but one tile in fifty at full size.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def coarse(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) * 0.5, mask=i < n)


@triton.jit
def run(x, out, n, every, BLOCK: tl.constexpr):
    p = tl.program_id(0)
    i = (p + p // every) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.store(out + i, v * tl.sigmoid(v), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.empty_like(x), x.numel()
        programs = triton.cdiv(n, 1024)
        coarse[(programs,)](x, out, n, BLOCK=1024)
        run[(programs - programs // 50 if n >= 1 << 24 else programs,)](x, out, n, 49 if n >= 1 << 24 else 1 << 20, BLOCK=1024)
        return out
