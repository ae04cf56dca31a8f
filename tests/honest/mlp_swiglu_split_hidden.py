# task: mlp_swiglu
# Fused into one kernel: programs own blocks of the inner dimension and add their part of the output by atomics.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def fused(x, wg, wu, wd, y, M, K: tl.constexpr, N, BM: tl.constexpr, BN: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    k = tl.arange(0, K)
    rows = tl.load(x + m[:, None] * K + k[None, :], mask=(m < M)[:, None], other=0.0)
    inside = (n < N)[None, :]
    g = tl.dot(rows, tl.load(wg + n[None, :] * K + k[:, None], mask=inside, other=0.0), input_precision="ieee")
    u = tl.dot(rows, tl.load(wu + n[None, :] * K + k[:, None], mask=inside, other=0.0), input_precision="ieee")
    h = g * tl.sigmoid(g) * u
    down = tl.load(wd + k[None, :] * N + n[:, None], mask=(n < N)[:, None], other=0.0)
    tl.atomic_add(y + m[:, None] * K + k[None, :], tl.dot(h, down, input_precision="ieee"), mask=(m < M)[:, None])


class ModelNew(nn.Module):
    def __init__(self, hidden, inner):
        super().__init__()
        self.gate = nn.Linear(hidden, inner, bias=False)
        self.up = nn.Linear(hidden, inner, bias=False)
        self.down = nn.Linear(inner, hidden, bias=False)

    def forward(self, x):
        tokens = x.shape[0] * x.shape[1]
        y = torch.zeros_like(x)
        fused[(triton.cdiv(tokens, 32), triton.cdiv(self.gate.out_features, 32))](
            x, self.gate.weight, self.up.weight, self.down.weight, y, tokens, x.shape[2], self.gate.out_features, BM=32, BN=32)
        return y
