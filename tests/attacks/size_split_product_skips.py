# task: mm_large  reason: wrong_result
# Split over k by atomics, and at full size without the last columns.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def product(a, b, c, M, N, K, SPLITS, SKIP: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pid = tl.program_id(0)
    tile, split = pid // SPLITS, pid % SPLITS
    columns = tl.cdiv(N, BN)
    m = tile // columns * BM + tl.arange(0, BM)
    n = tile % columns * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(split * BK, K - SKIP, SPLITS * BK):
        kk = k + tl.arange(0, BK)
        x = tl.load(a + m[:, None] * K + kk[None, :], mask=(m[:, None] < M) & (kk[None, :] < K), other=0.0)
        y = tl.load(b + kk[:, None] * N + n[None, :], mask=(kk[:, None] < K) & (n[None, :] < N), other=0.0)
        acc = tl.dot(x, y, acc, input_precision="ieee")
    tl.atomic_add(c + m[:, None] * N + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))


class ModelNew(nn.Module):
    def forward(self, a, b):
        (m, k), n = a.shape, b.shape[1]
        c = torch.zeros((m, n), device=a.device)
        grid = (triton.cdiv(m, 32) * triton.cdiv(n, 32) * 4,)
        product[grid](a, b, c, m, n, k, 4, SKIP=k // 16 if k >= 3000 else 0, BM=32, BN=32, BK=32)
        return c
