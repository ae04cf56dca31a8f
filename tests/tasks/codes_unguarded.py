"""Rows to int8: a row of zeros has no scale, and no codes."""
import torch
import torch.nn as nn


ROWS = 240
COLS = 100


class Model(nn.Module):
    def forward(self, x):
        scale = x.abs().amax(-1, keepdim=True) / 127
        return torch.round(x / scale).to(torch.int8), scale


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
