"""A strided, dilated convolution of 3 by 3 in groups, without a bias."""
import torch
import torch.nn as nn


BATCH = 2
IN = 16
OUT = 24
SIZE = 25


class Model(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.conv = nn.Conv2d(inner, outer, 3, stride=2, padding=2, dilation=2, groups=2, bias=False)

    def forward(self, x):
        return self.conv(x)


def get_inputs():
    return [torch.randn(BATCH, IN, SIZE, SIZE)]


def get_init_inputs():
    return [IN, OUT]
