# golden: G-fused_rotary_embedding  reason: out_of_bounds
# Its test has 16 tokens and the lengths and tables of two sequences: the kernel reads a length for each token.
"""Rotary embedding of queries in place."""
import torch
import torch.nn as nn


TOKENS, HEADS, KV_HEADS, DIM, POSITIONS, BLOCK, BLOCKS, BATCH = 16, 8, 4, 64, 128, 4, 4, 2


class Model(nn.Module):
    def forward(self, q, k, v, cos, sin, k_cache, v_cache, block_tables, kv_lengths):
        a, b = q.chunk(2, -1)
        c, s = (t[:TOKENS, None, : DIM // 2] for t in (cos, sin))
        q.copy_(torch.cat([a * c - b * s, a * s + b * c], -1))
        return q


def get_inputs():
    return [torch.randn(TOKENS, HEADS, DIM), torch.randn(TOKENS, KV_HEADS, DIM), torch.randn(TOKENS, KV_HEADS, DIM),
            torch.randn(POSITIONS, DIM), torch.randn(POSITIONS, DIM), torch.zeros(BLOCKS, KV_HEADS, BLOCK, DIM),
            torch.zeros(BLOCKS, KV_HEADS, BLOCK, DIM), torch.randint(0, BLOCKS, (BATCH, BLOCKS), dtype=torch.int32),
            torch.randint(1, TOKENS, (BATCH,), dtype=torch.int32)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, q, k, v, cos, sin, k_cache, v_cache, block_tables, kv_lengths):
        decoding_fused_rotary_embedding(q, k, v, cos, sin, k_cache, v_cache, block_tables, kv_lengths)
        return q
