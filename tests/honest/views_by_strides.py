# task: views
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(a, b, c, d, y, M, N, a0, a1, b0, b1, c0, c1, d0, d1, BM: tl.constexpr, BN: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)[:, None]
    n = tl.program_id(1) * BN + tl.arange(0, BN)[None, :]
    ok = (m < M) & (n < N)
    v = tl.load(a + m * a0 + n * a1, ok) * tl.load(b + m * b0 + n * b1, ok) + tl.load(c + m * c0 + n * c1, ok)
    tl.store(y + m * N + n, v - tl.load(d + m * d0 + n * d1, ok), ok)


class ModelNew(nn.Module):
    def forward(self, turned, thinned, slice, row):
        m, n = turned.shape
        y = torch.empty((m, n), device=turned.device, dtype=turned.dtype)
        strides = [s for t in (turned, thinned, slice, row) for s in t.stride()]
        kernel[(triton.cdiv(m, 16), triton.cdiv(n, 32))](turned, thinned, slice, row, y, m, n, *strides, BM=16, BN=32)
        return y
