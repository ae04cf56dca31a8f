"""Data movement alone: two tensors side by side, the second reversed, with a border of zeros."""
import torch
import torch.nn as nn
import torch.nn.functional as F


ROWS = 40
LEFT = 30
RIGHT = 21


class Model(nn.Module):
    def forward(self, a, b):
        return F.pad(torch.cat([a, b.flip(1)], dim=1), (1, 2))


def get_inputs():
    return [torch.randn(ROWS, LEFT), torch.randn(ROWS, RIGHT)]


def get_init_inputs():
    return []
