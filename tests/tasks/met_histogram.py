"""A histogram, whose last bin holds its end."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.histc(x, 16, 0.0, 1.0)


def get_inputs():
    return [torch.rand(4000)]


def get_init_inputs():
    return []
