"""Rows of length one, but those shorter than a guard; logarithms of what may be zero."""
import torch
import torch.nn as nn
import torch.nn.functional as F


ROWS = 48
COLS = 72


class Model(nn.Module):
    def forward(self, x, y):
        return F.normalize(x, dim=1, eps=1e-6), torch.log(y.abs().sum(1) + 1e-7)


def get_inputs():
    return [torch.randn(ROWS, COLS), torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
