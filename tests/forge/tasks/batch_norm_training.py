"""A convolution and a batch norm that is being trained: its statistics are the batch's, and the running ones move."""
import torch
import torch.nn as nn

BATCH = 4
CHANNELS = 20
OUT_CHANNELS = 24
SIZE = 18


class Model(nn.Module):
    def __init__(self, channels, out_channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, out_channels, kernel_size=3, padding=1)
        self.norm = nn.BatchNorm2d(out_channels)

    def forward(self, x):
        return torch.relu(self.norm(self.conv(x)))


def get_inputs():
    return [torch.randn(BATCH, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return [CHANNELS, OUT_CHANNELS]
