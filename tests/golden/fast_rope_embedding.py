# golden: G-fast_rope_embedding
"""Rotary embedding of queries and keys, by halves."""
import torch
import torch.nn as nn


BATCH, HEADS, LENGTH, DIM = 2, 8, 4, 16


def rotated(x, cos, sin):
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


class Model(nn.Module):
    def forward(self, q, k, cos, sin):
        return rotated(q, cos, sin), rotated(k, cos, sin)


def get_inputs():
    return [torch.randn(BATCH, HEADS, LENGTH, DIM), torch.randn(BATCH, HEADS, LENGTH, DIM),
            torch.randn(LENGTH, DIM // 2), torch.randn(LENGTH, DIM // 2)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, q, k, cos, sin):
        return fast_rope_embedding(q, k, cos, sin)
