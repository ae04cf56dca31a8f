import torch
import torch.nn as nn


class Model(nn.Module):
    """A transposed convolution of volumes: uneven strides, groups, and more rows at the end."""

    def __init__(self, channels, out_channels):
        super().__init__()
        self.up = nn.ConvTranspose3d(channels, out_channels, (3, 4, 3), stride=(2, 2, 1), padding=(1, 0, 1),
                                     output_padding=(1, 0, 0), groups=2, bias=False)

    def forward(self, x):
        return self.up(x)


batch, channels, out_channels, depth, height, width = 2, 24, 32, 5, 9, 20


def get_inputs():
    return [torch.randn(batch, channels, depth, height, width)]


def get_init_inputs():
    return [channels, out_channels]
