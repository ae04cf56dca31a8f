"""Moves data and adds: the transpose plus the rows rolled by three."""
import torch
import torch.nn as nn


SIZE = 120


class Model(nn.Module):
    def forward(self, x):
        return x.transpose(-1, -2) + torch.roll(x, 3, dims=-2)


def get_inputs():
    return [torch.randn(2, SIZE, SIZE, dtype=torch.float16)]


def get_init_inputs():
    return []
