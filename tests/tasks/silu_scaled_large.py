"""x sigmoid(x) times a scale for each column, of a matrix that is scaled down to be judged."""
import torch
import torch.nn as nn


ROWS = 4096
COLS = 4096


class Model(nn.Module):
    def __init__(self, cols):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(cols))

    def forward(self, x):
        return x * torch.sigmoid(x) * self.scale


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return [COLS]
