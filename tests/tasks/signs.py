"""Which numbers are above zero."""
import torch
import torch.nn as nn


ROWS = 50
COLS = 60


class Model(nn.Module):
    def forward(self, x):
        return x > 0


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
