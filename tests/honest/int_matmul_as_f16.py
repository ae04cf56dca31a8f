# task: int_matmul
# int8 values are exact in bfloat16, and so are their products in float32 sums.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def matmul(a, b, rs, cs, c, M, N, K: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, K)
    x = tl.load(a + m[:, None] * K + k[None, :], mask=(m < M)[:, None], other=0).to(tl.bfloat16)
    y = tl.load(b + k[:, None] * N + n[None, :], mask=(n < N)[None, :], other=0).to(tl.bfloat16)
    out = tl.dot(x, y) * tl.load(rs + m, mask=m < M, other=0.0)[:, None] * tl.load(cs + n, mask=n < N, other=0.0)[None, :]
    tl.store(c + m[:, None] * N + n[None, :], out, mask=(m < M)[:, None] & (n < N)[None, :])


class ModelNew(nn.Module):
    def forward(self, a, b, row_scale, col_scale):
        M, K = a.shape
        N = b.shape[1]
        c = row_scale.new_empty((M, N))
        matmul[triton.cdiv(M, 16), triton.cdiv(N, 16)](a, b, row_scale, col_scale, c, M, N, K, 16, 16, num_warps=1)
        return c
