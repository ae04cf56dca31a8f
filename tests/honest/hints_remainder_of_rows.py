# task: odd_product
# Rows outside begin again at the first; the tile is called contiguous.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def product(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    start_m, start_n = tl.program_id(0) * BM, tl.program_id(1) * BN
    rows = start_m + tl.arange(0, BM)
    cols = start_n + tl.arange(0, BN)
    near_m = rows % M
    near_n = cols % N
    near_m = tl.max_contiguous(tl.multiple_of(near_m, BM), BM)
    near_n = tl.max_contiguous(tl.multiple_of(near_n, BN), BN)
    k = tl.arange(0, BK)
    acc = tl.zeros((BM, BN), tl.float32)
    for k0 in range(0, K, BK):
        a = tl.load(a_ptr + near_m[:, None] * K + (k0 + k)[None, :], mask=k0 + k[None, :] < K, other=0.0)
        b = tl.load(b_ptr + (k0 + k)[:, None] * N + near_n[None, :], mask=k0 + k[:, None] < K, other=0.0)
        acc += tl.dot(a, b, input_precision="ieee")
    tl.store(c_ptr + rows[:, None] * N + cols[None, :], acc, mask=(rows[:, None] < M) & (cols[None, :] < N))


class ModelNew(nn.Module):
    def forward(self, a, b):
        (m, k), n = a.shape, b.shape[1]
        c = torch.empty(m, n, device=a.device)
        product[(triton.cdiv(m, 64), triton.cdiv(n, 64))](a, b, c, m, n, k, BM=64, BN=64, BK=32)
        return c
