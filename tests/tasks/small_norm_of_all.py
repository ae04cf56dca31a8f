"""All elements by the norm of all of them."""
import torch
import torch.nn as nn


ROWS = 64
COLS = 128


class Model(nn.Module):
    def forward(self, x):
        return x / (x.norm() + 1e-4)


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
