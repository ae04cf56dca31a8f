# task: silu_large  reason: wrong_result
# The input is copied to scratch first; the second launch is too short at full size, over zeros.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def copy(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.sigmoid(tl.load(x + i, mask=i < n)), mask=i < n)


@triton.jit
def run(x, s, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) * tl.load(s + i, mask=i < n), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        scratch, out, n = torch.empty_like(x), torch.zeros_like(x), x.numel()
        programs = triton.cdiv(n, 1024)
        copy[(programs,)](x, scratch, n, BLOCK=1024)
        run[(programs - programs // 50 if n >= 1 << 24 else programs,)](x, scratch, out, n, BLOCK=1024)
        return out
