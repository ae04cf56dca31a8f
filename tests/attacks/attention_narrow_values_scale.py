# task: attention_narrow_values  reason: wrong_result
# Scores are scaled by the width of the values.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def attention(q, k, v, o, L, scale, D: tl.constexpr, E: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    d, e = tl.arange(0, D), tl.arange(0, E)
    head = tl.program_id(1) * L
    a = tl.load(q + (head + m[:, None]) * D + d[None, :], mask=m[:, None] < L, other=0.0)
    top = tl.full((BM,), float("-inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, E), tl.float32)
    for n0 in range(0, L, BN):
        n = n0 + tl.arange(0, BN)
        b = tl.load(k + (head + n[None, :]) * D + d[:, None], mask=n[None, :] < L, other=0.0)
        s = tl.where(n[None, :] < L, tl.dot(a, b) * scale, float("-inf"))
        new = tl.maximum(top, tl.max(s, axis=1))
        p = tl.exp(s - new[:, None])
        shrink = tl.exp(top - new)
        total = total * shrink + tl.sum(p, axis=1)
        c = tl.load(v + (head + n[:, None]) * E + e[None, :], mask=n[:, None] < L, other=0.0)
        acc = acc * shrink[:, None] + tl.dot(p.to(tl.bfloat16), c)
        top = new
    tl.store(o + (head + m[:, None]) * E + e[None, :], (acc / total[:, None]).to(tl.bfloat16), mask=m[:, None] < L)


class ModelNew(nn.Module):
    def forward(self, q, k, v):
        B, H, L, D = q.shape
        E = v.shape[3]
        o = q.new_empty(B, H, L, E)
        attention[(triton.cdiv(L, 32), B * H)](q, k, v, o, L, E ** -0.5, D, E, 32, 32)
        return o
