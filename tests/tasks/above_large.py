"""Where one matrix is above another. Scaled down to be judged."""
import torch
import torch.nn as nn


ROWS = 4096
COLS = 4096


class Model(nn.Module):
    def forward(self, x, y):
        return x > y


def get_inputs():
    return [torch.randn(ROWS, COLS), torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
