"""All elements by the root of the sum of their squares, if that is not zero."""
import torch
import torch.nn as nn


ROWS = 64
COLS = 128


class Model(nn.Module):
    def forward(self, x):
        norm = torch.sqrt((x * x).sum())
        return torch.where(norm == 0, x, x / norm)


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
