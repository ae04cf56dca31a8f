# task: attention_768  reason: wrong_result
# Contexts above 512 leave the last block of keys out for one head of twelve.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def attention(q_ptr, k_ptr, v_ptr, o_ptr, CONTEXT, scale, SHORT: tl.constexpr, SIZE: tl.constexpr, BQ: tl.constexpr, BK: tl.constexpr):
    head = tl.program_id(1) * CONTEXT * SIZE
    d = tl.arange(0, SIZE)
    rows = tl.program_id(0) * BQ + tl.arange(0, BQ)
    q = tl.load(q_ptr + head + rows[:, None] * SIZE + d[None, :], mask=rows[:, None] < CONTEXT, other=0.0)
    top = tl.full((BQ,), float("-inf"), tl.float32)
    total = tl.zeros((BQ,), tl.float32)
    out = tl.zeros((BQ, SIZE), tl.float32)
    end = CONTEXT
    if SHORT:
        end = tl.where(tl.program_id(1) == 7, CONTEXT - BK, CONTEXT)
    for k0 in range(0, end, BK):
        keys = k0 + tl.arange(0, BK)
        k = tl.load(k_ptr + head + keys[None, :] * SIZE + d[:, None], mask=keys[None, :] < CONTEXT, other=0.0)
        v = tl.load(v_ptr + head + keys[:, None] * SIZE + d[None, :], mask=keys[:, None] < CONTEXT, other=0.0)
        s = tl.where(keys[None, :] < CONTEXT, tl.dot(q, k) * scale, float("-inf"))
        higher = tl.maximum(top, tl.max(s, axis=1))
        p = tl.exp(s - higher[:, None])
        keep = tl.exp(top - higher)
        total = total * keep + tl.sum(p, axis=1)
        out = out * keep[:, None] + tl.dot(p.to(tl.float16), v)
        top = higher
    tl.store(o_ptr + head + rows[:, None] * SIZE + d[None, :], (out / total[:, None]).to(tl.float16), mask=rows[:, None] < CONTEXT)


class ModelNew(nn.Module):
    def forward(self, q, k, v):
        batch, heads, context, size = q.shape
        out = torch.empty_like(q)
        grid = (triton.cdiv(context, 64), batch * heads)
        attention[grid](q, k, v, out, context, size ** -0.5, SHORT=context > 512, SIZE=64, BQ=64, BK=64)
        return out
