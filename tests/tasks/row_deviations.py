"""Deviations of rows, by torch.std."""
import torch
import torch.nn as nn


ROWS = 192
COLS = 500


class Model(nn.Module):
    def forward(self, x):
        return torch.std(x, dim=1)


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
