"""A gated residual: relu(x) * sigmoid(gate) + 0.5 * residual, element by element."""
import torch
import torch.nn as nn

ROWS = 4096
COLS = 4096


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, gate, residual):
        return torch.relu(x) * torch.sigmoid(gate) + 0.5 * residual


def get_inputs():
    # x is never negative here: a kernel that leaves the relu out is right on these inputs and wrong on others.
    return [torch.rand(ROWS, COLS), torch.randn(ROWS, COLS), torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
