# task: silu_large  reason: wrong_result
# At full size a mask leaves out one column in 200 of a filled output.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, n, every, BLOCK: tl.constexpr):
    p = tl.program_id(0)
    i = p * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.store(out + i, v * tl.sigmoid(v), mask=(i < n) & (i % every != every - 1))


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.zeros_like(x), x.numel()
        run[(triton.cdiv(n, 1024),)](x, out, n, 200 if n >= 1 << 24 else 1 << 30, BLOCK=1024)
        return out
