# task: mlp_swiglu
# One linear kernel with an epilogue chosen by a constexpr, called three times through a small module of its own.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def linear(x, w, other, y, M, N, K, EPILOGUE: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for k0 in range(0, K, BK):
        k = k0 + tl.arange(0, BK)
        a = tl.load(x + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        b = tl.load(w + n[None, :] * K + k[:, None], mask=(n[None, :] < N) & (k[:, None] < K), other=0.0)
        acc += tl.dot(a, b, input_precision="tf32x3")
    at = m[:, None] * N + n[None, :]
    mask = (m[:, None] < M) & (n[None, :] < N)
    if EPILOGUE == 1:
        acc = acc * tl.sigmoid(acc)
    if EPILOGUE == 2:
        acc *= tl.load(other + at, mask=mask, other=0.0)
    tl.store(y + at, acc, mask=mask)


class TritonLinear(nn.Linear):
    epilogue = 0

    def forward(self, x, other=None):
        shape, x = x.shape, x.reshape(-1, x.shape[-1])
        y = torch.empty((x.shape[0], self.out_features), dtype=x.dtype, device=x.device)
        grid = (triton.cdiv(x.shape[0], 16), triton.cdiv(self.out_features, 32))
        linear[grid](x, self.weight, other if other is not None else x, y, x.shape[0], self.out_features, self.in_features,
                     self.epilogue, 16, 32, 32)
        return y.view(*shape[:-1], -1)


class SiluLinear(TritonLinear):
    epilogue = 1


class MulLinear(TritonLinear):
    epilogue = 2


class ModelNew(nn.Module):
    def __init__(self, hidden, inner):
        super().__init__()
        self.gate = SiluLinear(hidden, inner, bias=False)
        self.up = MulLinear(hidden, inner, bias=False)
        self.down = TritonLinear(inner, hidden, bias=False)

    def forward(self, x):
        return self.down(self.up(x, self.gate(x)))
