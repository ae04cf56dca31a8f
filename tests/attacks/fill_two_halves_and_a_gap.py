# task: silu_large  reason: wrong_result
# Two launches, one for each half; at full size there is a gap of three tiles between them.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, n, start, BLOCK: tl.constexpr):
    i = start + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.store(out + i, v * tl.sigmoid(v), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.zeros_like(x), x.numel()
        half = n // 2
        run[(triton.cdiv(half, 1024) - (3 if n >= 1 << 24 else 0),)](x, out, n, 0, BLOCK=1024)
        run[(triton.cdiv(n - half, 1024),)](x, out, n, half, BLOCK=1024)
        return out
