"""Rounded to quarters, half-way cases to the even one."""
import torch
import torch.nn as nn


ROWS = 2048
COLUMNS = 1000


class Model(nn.Module):
    def forward(self, x):
        return torch.round(x * 4) / 4


def get_inputs():
    return [torch.randn(ROWS, COLUMNS)]


def get_init_inputs():
    return []
