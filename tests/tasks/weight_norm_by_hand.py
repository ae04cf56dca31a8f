"""A weight as direction and length; the length starts as that of the direction."""
import torch
import torch.nn as nn


B = 512
I = 256


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.v = nn.Parameter(torch.randn(I))
        self.g = nn.Parameter(self.v.detach().norm())

    def forward(self, x):
        return torch.relu(x * (self.g * self.v / self.v.norm()))


def get_inputs():
    return [torch.randn(B, I)]


def get_init_inputs():
    return []
