"""Rows scaled to the range of 8-bit floats; the scales are the second output."""
import torch
import torch.nn as nn


ROWS = 48
COLS = 320


class Model(nn.Module):
    def forward(self, x):
        scale = x.abs().amax(dim=-1, keepdim=True) / 448.0
        return (x / scale).to(torch.float8_e4m3fn), scale.squeeze(-1)


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
