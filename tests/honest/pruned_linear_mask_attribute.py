# task: pruned_linear
# The mask is a plain attribute that no state dict names.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def pruned(x, w, keep, sign, y, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), tl.float32)
    for k0 in range(0, K, BK):
        k = k0 + tl.arange(0, BK)
        there = (n < N)[None, :] & (k < K)[:, None]
        at = n[None, :] * K + k[:, None]
        a = tl.load(x + m[:, None] * K + k[None, :], mask=(m < M)[:, None] & (k < K)[None, :], other=0.0)
        b = tl.where(tl.load(keep + at, mask=there, other=0) != 0, tl.load(w + at, mask=there, other=0.0), 0.0)
        total = tl.dot(a, b, total, input_precision="ieee")
    total *= tl.load(sign + n, mask=n < N, other=0).to(tl.float32)[None, :]
    tl.store(y + m[:, None] * N + n[None, :], total, mask=(m < M)[:, None] & (n < N)[None, :])


class ModelNew(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outer, inner) * 0.1)
        self.keep = (torch.rand(outer, inner) > 0.5).cuda()
        self.register_buffer("signs", torch.randn(outer).sign().to(torch.int8))

    def forward(self, x):
        (rows, inner), outer = x.shape, self.weight.shape[0]
        y = torch.empty(rows, outer, device=x.device)
        pruned[(triton.cdiv(rows, 16), triton.cdiv(outer, 16))](x, self.weight, self.keep, self.signs, y, rows, outer, inner, 16, 16, 32)
        return y
