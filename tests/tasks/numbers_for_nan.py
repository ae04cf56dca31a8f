"""Numbers take the place of NaN and infinities."""
import torch
import torch.nn as nn


N = 512
M = 512


class Model(nn.Module):
    def forward(self, x):
        return torch.relu(torch.nan_to_num(x, nan=1.0, posinf=2.0, neginf=-2.0)) + 0.5


def get_inputs():
    return [torch.randn(N, M)]


def get_init_inputs():
    return []
