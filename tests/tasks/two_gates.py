"""Two weights of one shape that do different things."""
import torch
import torch.nn as nn

ROWS = 2048
COLS = 512


class Model(nn.Module):
    def __init__(self, cols):
        super().__init__()
        self.open = nn.Parameter(torch.randn(cols))
        self.shut = nn.Parameter(torch.randn(cols))

    def forward(self, x):
        return torch.sigmoid(x * self.open) - torch.tanh(x * self.shut)


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return [COLS]
