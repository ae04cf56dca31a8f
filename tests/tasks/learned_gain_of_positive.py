"""A gain, then what is above zero."""
import torch
import torch.nn as nn

N = 48
M = 96


class Model(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.w = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return torch.relu(x * self.w)


def get_inputs():
    return [torch.randn(N, M)]


def get_init_inputs():
    return [M]
