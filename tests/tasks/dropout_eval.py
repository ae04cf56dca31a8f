"""Dropout and batch normalisation in evaluation mode around a bias: only the bias and the map remain."""
import torch
import torch.nn as nn


ROWS = 64
COLS = 33


class Model(nn.Module):
    def __init__(self, cols):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(cols))
        self.rest = nn.Sequential(nn.Dropout(0.5), nn.BatchNorm1d(cols)).eval()

    def forward(self, x):
        return self.rest(torch.tanh(x + self.bias))


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return [COLS]
