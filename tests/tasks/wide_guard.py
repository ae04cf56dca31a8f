"""SiLU with zeros in the place of NaN, of a matrix too large to be interpreted whole."""
import torch
import torch.nn as nn
import torch.nn.functional as F


ROWS = 6144
COLS = 4096


class Model(nn.Module):
    def forward(self, x):
        return F.silu(torch.where(x != x, 0.0, x))


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
