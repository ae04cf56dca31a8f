"""A product with a matrix whose elements are within half of one."""
import torch
import torch.nn as nn

N = 48
M = 64


class Model(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.w = nn.Parameter(torch.empty(dim, dim).uniform_(-0.1, 0.1))

    def forward(self, x):
        return x @ self.w.clamp(-0.5, 0.5)


def get_inputs():
    return [torch.randn(N, M)]


def get_init_inputs():
    return [M]
