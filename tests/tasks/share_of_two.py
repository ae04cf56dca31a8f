"""What share one row has of the sizes of two."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, y):
        a, b = x.abs().sum(1), y.abs().sum(1)
        return a / (a + b + 1e-6)


def get_inputs():
    return [torch.randn(40, 200), torch.randn(40, 200)]


def get_init_inputs():
    return []
