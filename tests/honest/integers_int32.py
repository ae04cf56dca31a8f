# task: integers
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(a, b, p, q, r, s, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = i < n
    x, y = tl.load(a + i, mask=ok, other=0), tl.load(b + i, mask=ok, other=1)
    m = (x * 31 + y) % 1009
    tl.store(p + i, tl.where(m < 0, m + 1009, m), mask=ok)
    tl.store(q + i, x ^ (y << 3), mask=ok)
    tl.store(r + i, (x & 255) - (y >> 2), mask=ok)
    z = tl.maximum(x, y)
    d = z // 7
    tl.store(s + i, tl.where((z < 0) & (d * 7 != z), d - 1, d), mask=ok)


class ModelNew(nn.Module):
    def forward(self, a, b):
        out = [torch.empty_like(a) for _ in range(4)]
        kernel[(triton.cdiv(a.numel(), 128),)](a, b, *out, a.numel(), BLOCK=128)
        return tuple(out)
