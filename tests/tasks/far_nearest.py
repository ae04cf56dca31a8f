"""Twice as many columns."""
import torch
import torch.nn as nn
import torch.nn.functional as F


BATCH = 512
ROWS = 512
COLS = 512


class Model(nn.Module):
    def forward(self, x):
        return F.interpolate(x, scale_factor=2.0, mode="nearest")


def get_inputs():
    return [torch.randn(BATCH, ROWS, COLS)]


def get_init_inputs():
    return []
