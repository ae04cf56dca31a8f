"""Batch normalisation by the statistics that a fresh module has, then a rectifier."""
import torch
import torch.nn as nn


ROWS = 120
CHANNELS = 80


class Model(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norm = nn.BatchNorm1d(channels)
        self.eval()

    def forward(self, x):
        return torch.relu(self.norm(x))


def get_inputs():
    return [torch.randn(ROWS, CHANNELS)]


def get_init_inputs():
    return [CHANNELS]
