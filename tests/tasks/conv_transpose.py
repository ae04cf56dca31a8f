"""A transposed convolution of 2 by 2 with stride 2, which scatters without overlap."""
import torch
import torch.nn as nn


BATCH = 2
IN = 12
OUT = 10
SIZE = 15


class Model(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.up = nn.ConvTranspose2d(inner, outer, 2, stride=2)

    def forward(self, x):
        return self.up(x)


def get_inputs():
    return [torch.randn(BATCH, IN, SIZE, SIZE)]


def get_init_inputs():
    return [IN, OUT]
