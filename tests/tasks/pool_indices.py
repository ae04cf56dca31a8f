"""Greatest elements of windows and where they are."""
import torch
import torch.nn as nn
import torch.nn.functional as F


ROWS = 16
CHANNELS = 8
LENGTH = 128


class Model(nn.Module):
    def forward(self, x):
        return F.max_pool1d(x, 4, return_indices=True)


def get_inputs():
    return [torch.randn(ROWS, CHANNELS, LENGTH)]


def get_init_inputs():
    return []
