# task: attention_with_mask  reason: wrong_result
# Nothing is hidden.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def heads(q, k, v, mask, y, length, scale, N: tl.constexpr, D: tl.constexpr):
    batch = tl.program_id(0)
    n, d = tl.arange(0, N), tl.arange(0, D)
    at = batch * length * D + n[:, None] * D + d[None, :]
    there = (n < length)[:, None] & (d < D)[None, :]
    scores = tl.dot(tl.load(q + at, mask=there, other=0.0), tl.trans(tl.load(k + at, mask=there, other=0.0)), input_precision="ieee") * scale
    seen = (n < length)[None, :] & (n < length)[:, None]
    seen = seen
    scores = tl.where(seen, scores, float("-inf"))
    scores = tl.where((n < length)[:, None], scores, 0.0)
    p = tl.exp(scores - tl.max(scores, axis=1)[:, None])
    p = p / tl.sum(p, axis=1)[:, None]
    tl.store(y + at, tl.dot(p, tl.load(v + at, mask=there, other=0.0), input_precision="ieee"), mask=there)


class ModelNew(nn.Module):
    def forward(self, q, k, v, mask):
        y = torch.empty_like(q)
        heads[(q.shape[0],)](q, k, v, mask, y, q.shape[1], q.shape[2] ** -0.5, triton.next_power_of_2(q.shape[1]), q.shape[2])
        return y
