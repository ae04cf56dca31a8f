"""Two halves that are the same."""
import torch
import torch.nn as nn

N = 40
M = 120


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return x * x + x


def get_inputs():
    half = torch.rand(N // 2, M) * 2 - 1
    return [torch.cat([half, half])]


def get_init_inputs():
    return []
