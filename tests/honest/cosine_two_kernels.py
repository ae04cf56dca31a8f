# task: cosine
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def similarity(a, b, out, D, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    x, y = tl.load(a + row * D + d, mask=d < D, other=0.0), tl.load(b + row * D + d, mask=d < D, other=0.0)
    norms = tl.maximum(tl.sqrt(tl.sum(x * x)), 1e-8) * tl.maximum(tl.sqrt(tl.sum(y * y)), 1e-8)
    tl.store(out + row, tl.sum(x * y) / norms)


@triton.jit
def distances(a, b, out, M, N, D, BM: tl.constexpr, BN: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), tl.float32)
    for d in range(D):
        x, y = tl.load(a + m * D + d, mask=m < M, other=0.0), tl.load(b + n * D + d, mask=n < N, other=0.0)
        diff = x[:, None] - y[None, :]
        total += diff * diff
    tl.store(out + m[:, None] * N + n[None, :], tl.sqrt(total), mask=(m[:, None] < M) & (n[None, :] < N))


class ModelNew(nn.Module):
    def forward(self, a, b):
        s, d = a.new_empty(a.shape[0]), a.new_empty(a.shape[0], b.shape[0])
        similarity[(a.shape[0],)](a, b, s, a.shape[1], BLOCK=64)
        distances[(triton.cdiv(a.shape[0], 16), triton.cdiv(b.shape[0], 16))](a, b, d, a.shape[0], b.shape[0], a.shape[1], 16, 16)
        return s, d
