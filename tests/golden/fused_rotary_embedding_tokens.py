# golden: G-fused_rotary_embedding
# (With a length and a table for each token; as its test gives them: fused_rotary_embedding.)
"""Rotary embedding of queries in place, and of keys on their way into the blocks of a cache, with the values."""
import torch
import torch.nn as nn


TOKENS, HEADS, KV_HEADS, DIM, POSITIONS, BLOCK, BLOCKS = 16, 8, 4, 64, 128, 4, 4


def rotated(x, cos, sin):
    c, s = (t[:TOKENS, None, : DIM // 2] for t in (cos, sin))
    a, b = x.chunk(2, -1)
    return torch.cat([a * c - b * s, a * s + b * c], -1)


class Model(nn.Module):
    def forward(self, q, k, v, cos, sin, k_cache, v_cache, tables, lengths):
        last = lengths.long() - 1
        block = tables.long().gather(1, (last // BLOCK)[:, None]).squeeze(1)
        k_cache[block, :, last % BLOCK] = rotated(k, cos, sin)
        v_cache[block, :, last % BLOCK] = v
        q.copy_(rotated(q, cos, sin))
        return q, k_cache, v_cache


def get_inputs():
    return [torch.randn(TOKENS, HEADS, DIM), torch.randn(TOKENS, KV_HEADS, DIM), torch.randn(TOKENS, KV_HEADS, DIM),
            torch.randn(POSITIONS, DIM), torch.randn(POSITIONS, DIM), torch.zeros(TOKENS * BLOCKS, KV_HEADS, BLOCK, DIM),
            torch.zeros(TOKENS * BLOCKS, KV_HEADS, BLOCK, DIM),
            torch.arange(TOKENS * BLOCKS, dtype=torch.int32).view(TOKENS, BLOCKS),
            torch.randint(1, BLOCK * BLOCKS + 1, (TOKENS,), dtype=torch.int32)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, q, k, v, cos, sin, k_cache, v_cache, tables, lengths):
        decoding_fused_rotary_embedding(q, k, v, cos, sin, k_cache, v_cache, tables, lengths)
        return q, k_cache, v_cache
