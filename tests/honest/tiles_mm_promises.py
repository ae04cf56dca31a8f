# task: mm_tiles
# It promises the compiler that sizes and offsets are multiples of 128, as they are.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def product(a_ptr, b_ptr, c_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    tl.assume(K % 512 == 0)
    K = tl.multiple_of(K, 512)
    N = tl.multiple_of(N, 256)
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.max_contiguous(tl.multiple_of(tl.program_id(1) * BN + tl.arange(0, BN), BN), BN)
    total = tl.zeros((BM, BN), tl.float32)
    for k0 in range(0, K, BK):
        k = k0 + tl.arange(0, BK)
        a = tl.load(a_ptr + m[:, None] * K + k[None, :], mask=m[:, None] < M, other=0.0)
        b = tl.load(b_ptr + k[:, None] * N + n[None, :], mask=n[None, :] < N, other=0.0)
        total = tl.dot(a, b, total, input_precision="ieee")
    tl.store(c_ptr + m[:, None] * N + n[None, :], total, mask=(m[:, None] < M) & (n[None, :] < N))


class ModelNew(nn.Module):
    def forward(self, a, b):
        (m, k), n = a.shape, b.shape[1]
        c = torch.empty((m, n), device=a.device)
        product[(triton.cdiv(m, 64), triton.cdiv(n, 128))](a, b, c, m, n, k, 64, 128, 32)
        return c
