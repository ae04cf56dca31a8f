"""A transposed convolution that spreads each element over two."""
import torch
import torch.nn as nn
import torch.nn.functional as F


BATCH = 512
ROWS = 512
COLS = 512


class Model(nn.Module):
    def forward(self, x, weight):
        return F.conv_transpose1d(x.view(-1, 1, COLS), weight, stride=2).view(BATCH, ROWS, 2 * COLS)


def get_inputs():
    return [torch.randn(BATCH, ROWS, COLS), torch.randn(1, 1, 2)]


def get_init_inputs():
    return []
