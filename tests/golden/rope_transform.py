# golden: G-rope_transform
"""Rotary embedding of queries and keys, by halves."""
import torch
import torch.nn as nn


BATCH, HEADS, KV_HEADS, LENGTH, DIM = 2, 8, 8, 4, 16


def rotated(x, cos, sin):
    a, b = x.chunk(2, -1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)


class Model(nn.Module):
    def forward(self, q, k, cos, sin):
        return rotated(q, cos, sin), rotated(k, cos, sin)


def get_inputs():
    return [torch.randn(BATCH, HEADS, LENGTH, DIM), torch.randn(BATCH, KV_HEADS, LENGTH, DIM),
            torch.randn(LENGTH, DIM // 2), torch.randn(LENGTH, DIM // 2)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, q, k, cos, sin):
        q, k, _, _ = rope_forward(q, k, cos, sin)
        return q, k
