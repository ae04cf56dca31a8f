"""The mean of all squares. Scaled down to be judged."""
import torch
import torch.nn as nn


ROWS = 2048
COLS = 2304


class Model(nn.Module):
    def forward(self, x):
        return (x * x).mean()


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
