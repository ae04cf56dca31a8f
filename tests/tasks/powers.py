"""A power, its base made positive by an exponential."""
import torch
import torch.nn as nn


COUNT = 3000


class Model(nn.Module):
    def forward(self, x, y):
        return torch.exp(x) / (1.0 + torch.exp(y))


def get_inputs():
    return [torch.randn(COUNT), torch.randn(COUNT)]


def get_init_inputs():
    return []
