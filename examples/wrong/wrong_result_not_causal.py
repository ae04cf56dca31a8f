# task: attention  reason: wrong_result
# The causal mask is forgotten.
import math

import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def attention_rows(q_ptr, k_ptr, v_ptr, out_ptr, length, scale,
                   DIM: tl.constexpr, BLOCK_Q: tl.constexpr, BLOCK_K: tl.constexpr):
    head = tl.program_id(1) * length * DIM
    query = tl.program_id(0) * BLOCK_Q + tl.arange(0, BLOCK_Q)
    dim = tl.arange(0, DIM)
    q = tl.load(q_ptr + head + query[:, None] * DIM + dim[None, :], mask=query[:, None] < length, other=0.0)
    highest = tl.full([BLOCK_Q], float("-inf"), dtype=tl.float32)
    weight_sum = tl.zeros([BLOCK_Q], dtype=tl.float32)
    total = tl.zeros([BLOCK_Q, DIM], dtype=tl.float32)
    for begin in range(0, length, BLOCK_K):
        key = begin + tl.arange(0, BLOCK_K)
        k = tl.load(k_ptr + head + key[None, :] * DIM + dim[:, None], mask=key[None, :] < length, other=0.0)
        score = tl.where(key[None, :] < length, tl.dot(q, k) * scale, float("-inf"))
        higher = tl.maximum(highest, tl.max(score, axis=1))
        weight = tl.exp(score - higher[:, None])
        rescale = tl.exp(highest - higher)
        weight_sum = weight_sum * rescale + tl.sum(weight, axis=1)
        v = tl.load(v_ptr + head + key[:, None] * DIM + dim[None, :], mask=key[:, None] < length, other=0.0)
        total = total * rescale[:, None] + tl.dot(weight.to(v.dtype), v)
        highest = higher
    result = (total / weight_sum[:, None]).to(tl.float16)
    tl.store(out_ptr + head + query[:, None] * DIM + dim[None, :], result, mask=query[:, None] < length)


class ModelNew(nn.Module):
    def forward(self, q, k, v):
        batch, heads, length, dim = q.shape
        out = torch.empty_like(q)
        attention_rows[(triton.cdiv(length, 64), batch * heads)](q, k, v, out, length, 1.0 / math.sqrt(dim), dim, 64, 32)
        return out
