"""Group normalisation of large images."""
import torch
import torch.nn as nn


BATCH = 2
CHANNELS = 32
GROUPS = 8
SIDE = 256


class Model(nn.Module):
    def __init__(self, groups, channels):
        super().__init__()
        self.norm = nn.GroupNorm(groups, channels)

    def forward(self, x):
        return self.norm(x)


def get_inputs():
    return [torch.randn(BATCH, CHANNELS, SIDE, SIDE)]


def get_init_inputs():
    return [GROUPS, CHANNELS]
