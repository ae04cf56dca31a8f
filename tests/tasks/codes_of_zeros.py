"""Rows to int8; of a row of zeros the scale is one."""
import torch
import torch.nn as nn


ROWS = 240
COLS = 100


class Model(nn.Module):
    def forward(self, x):
        scale = x.abs().amax(-1, keepdim=True) / 127
        scale = torch.where(scale == 0, torch.ones_like(scale), scale)
        return torch.round(x / scale).to(torch.int8), x * scale


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
