"""relu(x) times a scale of ones plus a shift of zeros, on inputs that are never negative."""
import torch
import torch.nn as nn


ROWS = 50
COLS = 120


class Model(nn.Module):
    def __init__(self, cols):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(cols))
        self.shift = nn.Parameter(torch.zeros(cols))

    def forward(self, x):
        return torch.relu(x) * self.scale + self.shift


def get_inputs():
    return [torch.rand(ROWS, COLS)]


def get_init_inputs():
    return [COLS]
