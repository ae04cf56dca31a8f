"""A batch norm of its own, with statistics in buffers of ones and zeros."""
import torch
import torch.nn as nn


N = 4
C = 64
HW = 48


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(C))
        self.beta = nn.Parameter(torch.zeros(C))
        self.register_buffer("moving_mean", torch.zeros(C))
        self.register_buffer("moving_var", torch.ones(C))

    def forward(self, x):
        s = self.gamma / torch.sqrt(self.moving_var + 1e-5)
        return torch.relu((x - self.moving_mean[None, :, None]) * s[None, :, None] + self.beta[None, :, None])


def get_inputs():
    return [torch.randn(N, C, HW)]


def get_init_inputs():
    return []
