"""A per-channel scale and shift of images in channels-last memory."""
import torch
import torch.nn as nn


BATCH = 4
CHANNELS = 24
SIZE = 30


class Model(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(channels, 1, 1))
        self.shift = nn.Parameter(torch.zeros(channels, 1, 1))

    def forward(self, x):
        return torch.relu(x * self.scale + self.shift)


def get_inputs():
    return [torch.randn(BATCH, CHANNELS, SIZE, SIZE).to(memory_format=torch.channels_last)]


def get_init_inputs():
    return [CHANNELS]
