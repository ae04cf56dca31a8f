# golden: G-rotary_transform_ops
"""Rotary embedding of neighbouring pairs, conjugate."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, cos, sin):
        a, b = x[..., ::2], x[..., 1::2]
        cos, sin = cos[:, None], -sin[:, None]
        return torch.stack([a * cos - b * sin, a * sin + b * cos], -1).flatten(-2)


def get_inputs():
    return [torch.randn(2, 4, 3, 8), torch.randn(4, 4), torch.randn(4, 4)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, x, cos, sin):
        return apply_rotary(x, cos, sin, 0, interleaved=True, conjugate=True)
