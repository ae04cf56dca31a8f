# golden: G-l2_norm_triton2
"""Rows divided by their lengths, and the gradient for a gradient of ones."""
import torch
import torch.nn as nn


BATCH, DIM, EPS = 8, 128, 1e-6


class Model(nn.Module):
    def forward(self, x, dy):
        squares = x.square().sum(-1, keepdim=True) + EPS
        inverse = torch.rsqrt(squares)
        return x * inverse, (dy - (dy * x).sum(-1, keepdim=True) / squares * x) * inverse


def get_inputs():
    return [torch.randn(BATCH, DIM), torch.ones(BATCH, DIM)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, x, dy):
        return _l2_norm_fwd(x, eps=1e-6), _l2_norm_bwd(x, dy, eps=1e-6)
