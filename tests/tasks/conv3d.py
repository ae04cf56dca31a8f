"""A three-dimensional convolution of two by two by two, and ReLU."""
import torch
import torch.nn as nn


BATCH = 2
IN = 4
OUT = 6
SIZE = 9


class Model(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.conv = nn.Conv3d(inner, outer, 2)

    def forward(self, x):
        return torch.relu(self.conv(x))


def get_inputs():
    return [torch.randn(BATCH, IN, SIZE, SIZE, SIZE)]


def get_init_inputs():
    return [IN, OUT]
