"""Three times relu."""
import torch
import torch.nn as nn


N = 64
M = 80


class Model(nn.Module):
    def forward(self, x):
        return torch.relu(x) * 3.0


def get_inputs():
    return [torch.randn(N, M)]


def get_init_inputs():
    return []
