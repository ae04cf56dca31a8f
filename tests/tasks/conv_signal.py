"""A convolution over time in float32, padded, with a bias: cuDNN computes it with TF32 by default."""
import torch
import torch.nn as nn


BATCH = 3
IN = 48
OUT = 40
LENGTH = 130
TAPS = 5


class Model(nn.Module):
    def __init__(self, inner, outer, taps):
        super().__init__()
        self.conv = nn.Conv1d(inner, outer, taps, padding=taps // 2)

    def forward(self, x):
        return self.conv(x)


def get_inputs():
    return [torch.randn(BATCH, IN, LENGTH)]


def get_init_inputs():
    return [IN, OUT, TAPS]
