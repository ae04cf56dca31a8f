"""A tall matrix by a vector, in float64, and the squared length of the vector."""
import torch
import torch.nn as nn


ROWS = 700
COLS = 130


class Model(nn.Module):
    def forward(self, a, x):
        return a @ x, torch.dot(x, x)


def get_inputs():
    return [torch.randn(ROWS, COLS, dtype=torch.float64), torch.randn(COLS, dtype=torch.float64)]


def get_init_inputs():
    return []
