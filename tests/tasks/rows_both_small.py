"""A share, unless the rows of both are small."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, y):
        a, b = x.abs().mean(1), y.abs().mean(1)
        return torch.where((a < 0.1) & (b < 0.1), torch.zeros_like(a), a / (a + b))


def get_inputs():
    return [torch.randn(40, 200), torch.randn(40, 200)]


def get_init_inputs():
    return []
