# task: quantised_linear
# The same names, registered before they are drawn, in another order.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def quantised(x, q, z, s, y, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    inside = n < N
    zero = tl.load(z + n, mask=inside, other=0).to(tl.float32)
    total = tl.zeros((BM, BN), tl.float32)
    for k0 in range(0, K, BK):
        k = k0 + tl.arange(0, BK)
        a = tl.load(x + m[:, None] * K + k[None, :], mask=(m < M)[:, None] & (k < K)[None, :], other=0.0)
        b = tl.load(q + n[None, :] * K + k[:, None], mask=inside[None, :] & (k < K)[:, None], other=0).to(tl.float32)
        total = tl.dot(a, b - zero[None, :], total, input_precision="ieee")
    total *= tl.load(s + n, mask=inside, other=0.0)[None, :]
    tl.store(y + m[:, None] * N + n[None, :], total, mask=(m < M)[:, None] & inside[None, :])


class ModelNew(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.outer = outer
        self.register_buffer("scales", torch.rand(outer, 1) * 0.01 + 0.001)
        self.register_buffer("zeros", torch.zeros(outer, 1, dtype=torch.int32))
        self.register_buffer("qweight", torch.zeros(outer, inner, dtype=torch.int8))
        self.zeros.random_(-8, 8)
        self.qweight.random_(-127, 128)

    def forward(self, x):
        y = torch.empty(x.shape[0], self.outer, device=x.device)
        grid = (triton.cdiv(x.shape[0], 16), triton.cdiv(self.outer, 16))
        quantised[grid](x, self.qweight, self.zeros, self.scales, y, x.shape[0], self.outer, x.shape[1], 16, 16, 32)
        return y
