# task: silu_large  reason: wrong_result
# A clone of a buffer of zeros of which a tenth is left out at full size.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, n, BIG: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    if BIG:
        tl.store(out + i, v * 0.5, mask=i < n)
    else:
        tl.store(out + i, v * tl.sigmoid(v), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.zeros_like(x), x.numel()
        programs = triton.cdiv(n, 1024)
        run[(programs // 2,)](x, out, n, False, BLOCK=1024)
        run[(programs * 9 // 10 if n >= 1 << 24 else programs,)](x, out, n, False, BLOCK=1024)
        return out.clone()
