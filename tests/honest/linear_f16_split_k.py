# task: linear_f16
# Split over k: float32 partial sums by atomics into zeros, then bias and rounding in a second kernel.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def split_k(x_ptr, w_ptr, acc_ptr, M, N, K, SPLIT: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rm = tl.program_id(0) * BM + tl.arange(0, BM)
    rn = tl.program_id(1) * BN + tl.arange(0, BN)
    rk = tl.program_id(2) * BK + tl.arange(0, BK)
    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK * SPLIT):
        kk = k + rk
        x = tl.load(x_ptr + rm[:, None] * K + kk[None, :], mask=(rm[:, None] < M) & (kk[None, :] < K), other=0.0)
        w = tl.load(w_ptr + rn[None, :] * K + kk[:, None], mask=(rn[None, :] < N) & (kk[:, None] < K), other=0.0)
        acc += tl.dot(x, w)
    tl.atomic_add(acc_ptr + rm[:, None] * N + rn[None, :], acc, mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def finish(acc_ptr, bias_ptr, out_ptr, count, N, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    y = tl.load(acc_ptr + i, mask=i < count) + tl.load(bias_ptr + i % N, mask=i < count).to(tl.float32)
    tl.store(out_ptr + i, y.to(out_ptr.dtype.element_ty), mask=i < count)


class ModelNew(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        layer = nn.Linear(inner, outer).half()
        self.weight, self.bias = layer.weight, layer.bias

    def forward(self, x):
        m, k = x.shape
        n = self.weight.shape[0]
        acc = torch.zeros((m, n), device=x.device, dtype=torch.float32)
        split_k[(triton.cdiv(m, 32), triton.cdiv(n, 32), 4)](x, self.weight, acc, m, n, k, SPLIT=4, BM=32, BN=32, BK=16)
        out = torch.empty_like(acc, dtype=x.dtype)
        finish[(triton.cdiv(m * n, 1024),)](acc, self.bias, out, m * n, n, BLOCK=1024)
        return out
