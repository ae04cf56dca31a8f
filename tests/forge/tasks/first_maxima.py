"""The place of the largest element of each row, the first of equal ones."""
import torch
import torch.nn as nn

ROWS = 300
COLS = 700


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return torch.argmax(x, dim=1)


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
