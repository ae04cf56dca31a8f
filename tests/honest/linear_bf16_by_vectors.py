# task: linear_bf16
# No tl.dot: products in float32, summed in blocks of 256 by one program a row and 16 columns.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear(x, w, b, y, N, K, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.load(b + n, mask=n < N, other=0.0).to(tl.float32)
    for k0 in range(0, K, BK):
        k = k0 + tl.arange(0, BK)
        p = tl.load(x + m * K + k, mask=k < K, other=0.0).to(tl.float32)
        q = tl.load(w + n[:, None] * K + k[None, :], mask=(n[:, None] < N) & (k[None, :] < K), other=0.0).to(tl.float32)
        acc += tl.sum(p[None, :] * q, axis=1)
    tl.store(y + m * N + n, acc.to(tl.bfloat16), mask=n < N)


class ModelNew(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.linear = nn.Linear(inner, outer).bfloat16()

    def forward(self, x):
        y = x.new_empty(x.shape[0], self.linear.out_features)
        linear[(x.shape[0], triton.cdiv(y.shape[1], 16))](x, self.linear.weight, self.linear.bias, y, y.shape[1], x.shape[1], 16, 256)
        return y
