# task: linear_gelu_bf16  reason: wrong_result
# Both products have float16 operands.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear(x, w, b, y, M, N, K, ACT: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k0 in range(0, K, BK):
        k = k0 + tl.arange(0, BK)
        p = tl.load(x + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0).to(tl.bfloat16)
        q = tl.load(w + n[None, :] * K + k[:, None], mask=(n[None, :] < N) & (k[:, None] < K), other=0.0)
        acc = tl.dot(p.to(tl.float16), q.to(tl.float16), acc)
    acc += tl.load(b + n, mask=n < N, other=0.0).to(tl.float32)[None, :]
    if ACT:
        acc = acc * tl.sigmoid(1.5957691216057308 * (acc + 0.044715 * acc * acc * acc))
    tl.store(y + m[:, None] * N + n[None, :], acc.to(y.dtype.element_ty), mask=(m[:, None] < M) & (n[None, :] < N))


class ModelNew(nn.Module):
    def __init__(self, dim, inner):
        super().__init__()
        self.up = nn.Linear(dim, inner).bfloat16()
        self.down = nn.Linear(inner, dim).bfloat16()

    def step(self, x, layer, act, dtype):
        M, K = x.shape
        N = layer.out_features
        y = torch.empty(M, N, device=x.device, dtype=dtype)
        linear[(triton.cdiv(M, 32), triton.cdiv(N, 32))](x, layer.weight, layer.bias, y, M, N, K, act, 32, 32, 32)
        return y

    def forward(self, x):
        return self.step(self.step(x, self.up, True, torch.bfloat16), self.down, False, torch.bfloat16)
