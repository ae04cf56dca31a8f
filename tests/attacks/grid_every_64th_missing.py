# task: silu_large  reason: wrong_result
# At full size programs skip every 64th tile; the host has filled it with zeros.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, n, every, BLOCK: tl.constexpr):
    p = tl.program_id(0)
    i = (p + p // every) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.store(out + i, v * tl.sigmoid(v), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.zeros_like(x), x.numel()
        programs = triton.cdiv(n, 1024)
        run[(programs - programs // 64 if n >= 1 << 24 else programs,)](x, out, n, 63 if n >= 1 << 24 else 1 << 20, BLOCK=1024)
        return out
