# task: linear_bf16  reason: wrong_result
# The sum passes through float16.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear(x, w, b, y, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k0 in range(0, K, BK):
        k = k0 + tl.arange(0, BK)
        p = tl.load(x + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        q = tl.load(w + n[None, :] * K + k[:, None], mask=(n[None, :] < N) & (k[:, None] < K), other=0.0)
        acc = tl.dot(p, q, acc)
    acc += tl.load(b + n, mask=n < N, other=0.0).to(tl.float32)[None, :]
    tl.store(y + m[:, None] * N + n[None, :], acc.to(tl.float16).to(tl.bfloat16), mask=(m[:, None] < M) & (n[None, :] < N))


class ModelNew(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.linear = nn.Linear(inner, outer).bfloat16()

    def forward(self, x):
        M, K = x.shape
        N = self.linear.out_features
        y = x.new_empty(M, N)
        linear[(triton.cdiv(M, 32), triton.cdiv(N, 16))](x, self.linear.weight, self.linear.bias, y, M, N, K, 32, 16, 64)
        return y
