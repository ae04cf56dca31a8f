"""A gain and a shift in buffers of ones and zeros."""
import torch
import torch.nn as nn
import torch.nn.functional as F


N = 64
M = 80


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("gain", torch.ones(M))
        self.register_buffer("shift", torch.zeros(M))

    def forward(self, x):
        return F.gelu(x) * self.gain + self.shift


def get_inputs():
    return [torch.randn(N, M)]


def get_init_inputs():
    return []
