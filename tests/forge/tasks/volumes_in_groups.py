import torch
import torch.nn as nn


class Model(nn.Module):
    """A few volumes, whose number is as small as that of their groups."""

    def __init__(self, in_channels, out_channels, kernel_size, groups):
        super().__init__()
        self.conv = nn.ConvTranspose3d(in_channels, out_channels, kernel_size, bias=False)
        self.norm = nn.GroupNorm(groups, out_channels)

    def forward(self, x):
        return self.norm(torch.relu(self.conv(x)))


batch_size = 8
in_channels = 4
out_channels = 24
D, H, W = 18, 20, 22
kernel_size = 3
groups = 8


def get_inputs():
    return [torch.rand(batch_size, in_channels, D, H, W)]


def get_init_inputs():
    return [in_channels, out_channels, kernel_size, groups]
