"""Rotary embedding of queries by tables of cosines and sines."""
import torch
import torch.nn as nn


BATCH = 2
TIME = 30
HEADS = 3
DIM = 32


class Model(nn.Module):
    def forward(self, q, cos, sin):
        a, b = q[..., :q.shape[-1] // 2], q[..., q.shape[-1] // 2:]
        c, s = cos[None, :, None], sin[None, :, None]
        return torch.cat([a * c - b * s, b * c + a * s], dim=-1)


def get_inputs():
    return [torch.randn(BATCH, TIME, HEADS, DIM), torch.randn(TIME, DIM // 2), torch.randn(TIME, DIM // 2)]


def get_init_inputs():
    return []
