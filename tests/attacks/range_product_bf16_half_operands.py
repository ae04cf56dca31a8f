# task: product_bf16  reason: wrong_result
# float16 operands of a product without a bias.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def product(a, b, y, M, N, K, sn, sk, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), tl.float32)
    for k0 in range(0, K, BK):
        k = k0 + tl.arange(0, BK)
        left = tl.load(a + m[:, None] * K + k[None, :], mask=(m < M)[:, None] & (k < K)[None, :], other=0.0)
        right = tl.load(b + n[None, :] * sn + k[:, None] * sk, mask=(n < N)[None, :] & (k < K)[:, None], other=0.0)
        total = tl.dot(left.to(tl.float16), right.to(tl.float16), total)
    tl.store(y + m[:, None] * N + n[None, :], total, mask=(m < M)[:, None] & (n < N)[None, :])


class ModelNew(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.linear = nn.Linear(inner, outer, bias=False, dtype=torch.bfloat16)

    def forward(self, x):
        w = self.linear.weight
        (rows, inner), outer = x.shape, w.shape[0]
        y = torch.empty(rows, outer, device=x.device, dtype=x.dtype)
        product[(triton.cdiv(rows, 32), triton.cdiv(outer, 32))](x, w, y, rows, outer, inner, inner, 1, 32, 32, 64)
        return y
