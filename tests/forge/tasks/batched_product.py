"""A batch of products with the second operand transposed."""
import torch
import torch.nn as nn

BATCH = 12
ROWS = 100
COLS = 72
DEPTH = 160


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, a, b):
        return torch.bmm(a, b.transpose(1, 2)) * 0.5


def get_inputs():
    return [torch.randn(BATCH, ROWS, DEPTH), torch.randn(BATCH, COLS, DEPTH)]


def get_init_inputs():
    return []
