"""The mean of what is asked for, of all elements."""
import torch
import torch.nn as nn


ROWS = 64
COLS = 128


class Model(nn.Module):
    def forward(self, x, asked):
        return torch.where(asked, x, 0.0).sum() / asked.sum().clamp(min=1)


def get_inputs():
    return [torch.randn(ROWS, COLS), torch.randint(0, 2, (ROWS, COLS)).bool()]


def get_init_inputs():
    return []
