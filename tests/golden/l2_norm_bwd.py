# golden: G-l2_norm_bwd
"""The gradient of a row divided by its length."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, dy):
        squares = x.square().sum(-1, keepdim=True) + 1e-5
        return (dy - (dy * x).sum(-1, keepdim=True) / squares * x) * torch.rsqrt(squares)


def get_inputs():
    return [torch.randn(4, 8), torch.randn(4, 8)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, x, dy):
        return _l2_norm_bwd(x, dy)
