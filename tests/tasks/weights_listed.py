"""Columns weighted by four numbers that the caller lists."""
import torch
import torch.nn as nn


N = 512
C = 4


class Model(nn.Module):
    def forward(self, x, w):
        return torch.tanh(x * w)


def get_inputs():
    return [torch.randn(N, C), torch.tensor([0.1, 0.2, 0.3, 0.4])]


def get_init_inputs():
    return []
