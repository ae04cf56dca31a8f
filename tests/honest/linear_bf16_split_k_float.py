# task: linear_bf16
# Four parts of k in float32, summed with the bias by a second kernel.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def parts(x, w, part, M, N, K, SPLIT: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    s = tl.program_id(2)
    acc = tl.zeros((BM, BN), tl.float32)
    for k0 in range(s * BK, K, BK * SPLIT):
        k = k0 + tl.arange(0, BK)
        p = tl.load(x + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        q = tl.load(w + n[None, :] * K + k[:, None], mask=(n[None, :] < N) & (k[:, None] < K), other=0.0)
        acc = tl.dot(p, q, acc)
    tl.store(part + (s * M + m[:, None]) * N + n[None, :], acc.to(part.dtype.element_ty), mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def finish(part, b, y, M, N, SPLIT: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.load(b + i % N, mask=i < M * N, other=0.0).to(tl.float32)
    for s in range(SPLIT):
        acc += tl.load(part + s * M * N + i, mask=i < M * N, other=0.0).to(tl.float32)
    tl.store(y + i, acc.to(tl.bfloat16), mask=i < M * N)


class ModelNew(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.linear = nn.Linear(inner, outer).bfloat16()

    def forward(self, x):
        M, K = x.shape
        N = self.linear.out_features
        part = torch.empty(4, M, N, device=x.device, dtype=torch.float32)
        y = x.new_empty(M, N)
        parts[(triton.cdiv(M, 32), triton.cdiv(N, 16), 4)](x, self.linear.weight, part, M, N, K, 4, 32, 16, 64)
        finish[(triton.cdiv(M * N, 256),)](part, self.linear.bias, y, M, N, 4, 256)
        return y
