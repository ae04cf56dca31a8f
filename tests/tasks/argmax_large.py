"""The position of the largest number of each row, of a matrix that is scaled down to be judged."""
import torch
import torch.nn as nn


ROWS = 4096
COLS = 6000


class Model(nn.Module):
    def forward(self, x):
        return torch.argmax(x, dim=1)


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
