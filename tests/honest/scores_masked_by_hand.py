# task: scores_masked_by_hand
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def attend(q_ptr, k_ptr, v_ptr, out_ptr, length, D: tl.constexpr, ROWS: tl.constexpr, KEYS: tl.constexpr):
    base = tl.program_id(1).to(tl.int64) * length
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    d = tl.arange(0, D)
    q = tl.load(q_ptr + (base + row)[:, None] * D + d[None, :], mask=(row < length)[:, None], other=0.0)
    top = tl.full((ROWS,), -1e30, tl.float32)
    total = tl.zeros((ROWS,), tl.float32)
    sums = tl.zeros((ROWS, D), tl.float32)
    for begin in range(0, tl.minimum(length, (tl.program_id(0) + 1) * ROWS), KEYS):
        key = begin + tl.arange(0, KEYS)
        inside = (key < length)[:, None]
        k = tl.load(k_ptr + (base + key)[:, None] * D + d[None, :], mask=inside, other=0.0)
        v = tl.load(v_ptr + (base + key)[:, None] * D + d[None, :], mask=inside, other=0.0)
        s = tl.dot(q, tl.trans(k), input_precision="ieee") * 0.125
        s = tl.where(row[:, None] >= key[None, :], s, float("-inf"))
        higher = tl.maximum(top, tl.max(s, 1))
        p = tl.exp(s - higher[:, None])
        shrink = tl.exp(top - higher)
        total = total * shrink + tl.sum(p, 1)
        sums = sums * shrink[:, None] + tl.dot(p, v, input_precision="ieee")
        top = higher
    out = sums / total[:, None]
    tl.store(out_ptr + (base + row)[:, None] * D + d[None, :], out, mask=(row < length)[:, None])


class ModelNew(nn.Module):
    def forward(self, q, k, v):
        batch, length, depth = q.shape
        out = torch.empty_like(q)
        attend[(triton.cdiv(length, 64), batch)](q, k, v, out, length, depth, ROWS=64, KEYS=64)
        return out
