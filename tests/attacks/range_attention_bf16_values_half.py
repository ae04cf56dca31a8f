# task: attention_bf16  reason: wrong_result
# Probabilities and values are multiplied in float16.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def attention(q, k, v, o, L, scale, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, D)
    base = tl.program_id(1) * L * D
    a = tl.load(q + base + m[:, None] * D + d[None, :], mask=m[:, None] < L, other=0.0)
    top = tl.full((BM,), float("-inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for n0 in range(0, L, BN):
        n = n0 + tl.arange(0, BN)
        b = tl.load(k + base + n[None, :] * D + d[:, None], mask=n[None, :] < L, other=0.0)
        s = tl.where(n[None, :] < L, tl.dot(a, b) * scale, float("-inf"))
        new = tl.maximum(top, tl.max(s, axis=1))
        p = tl.exp(s - new[:, None])
        shrink = tl.exp(top - new)
        total = total * shrink + tl.sum(p, axis=1)
        c = tl.load(v + base + n[:, None] * D + d[None, :], mask=n[:, None] < L, other=0.0)
        acc = acc * shrink[:, None] + tl.dot(p.to(tl.float16), c.to(tl.float16))
        top = new
    tl.store(o + base + m[:, None] * D + d[None, :], (acc / total[:, None]).to(tl.bfloat16), mask=m[:, None] < L)


class ModelNew(nn.Module):
    def forward(self, q, k, v):
        B, H, L, D = q.shape
        o = torch.empty_like(q)
        attention[(triton.cdiv(L, 32), B * H)](q, k, v, o, L, D ** -0.5, D, 32, 32)
        return o
