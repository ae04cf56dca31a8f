# golden: G-rotary_emb_nopad
# Its test has 32 tokens and the lengths of two sequences, and half as many heads of keys as the kernel reads. Here each token has a
# length and a table, and there are as many heads of keys as of queries.
"""Rotary embedding of queries in place, and of keys on their way into the blocks of a cache."""
import torch
import torch.nn as nn


TOKENS, HEADS, DIM, POSITIONS, BLOCK, BLOCKS = 8, 8, 64, 128, 4, 4


def rotated(x, cos, sin):
    c, s = (t[:TOKENS, None, : DIM // 2] for t in (cos, sin))
    a, b = x.chunk(2, -1)
    return torch.cat([a * c - b * s, a * s + b * c], -1)


class Model(nn.Module):
    def forward(self, q, k, cos, sin, cache, tables, lengths):
        last = lengths - 1
        block = tables.gather(1, (last // BLOCK)[:, None]).squeeze(1)
        cache[block, :, last % BLOCK] = rotated(k, cos, sin)
        q.copy_(rotated(q, cos, sin))
        return q, cache


def get_inputs():
    return [torch.randn(TOKENS, HEADS, DIM), torch.randn(TOKENS, HEADS, DIM), torch.randn(POSITIONS, DIM),
            torch.randn(POSITIONS, DIM), torch.randn(TOKENS * BLOCKS, HEADS, BLOCK, DIM),
            torch.arange(TOKENS * BLOCKS).view(TOKENS, BLOCKS), torch.randint(1, BLOCK * BLOCKS + 1, (TOKENS,))]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, q, k, cos, sin, cache, tables, lengths):
        rotary_embedding(q, k, cos, sin, k_cache=cache, block_tables=tables, kv_lengths=lengths)
        return q, cache
