"""A GRU of two layers over a batch of sequences."""
import torch
import torch.nn as nn

BATCH = 6
LENGTH = 24
FEATURES = 40
UNITS = 48


class Model(nn.Module):
    def __init__(self, features, units):
        super().__init__()
        self.gru = nn.GRU(features, units, num_layers=2, batch_first=True)

    def forward(self, x, start):
        states, last = self.gru(x, start)
        return states, last


def get_inputs():
    return [torch.randn(BATCH, LENGTH, FEATURES), torch.randn(2, BATCH, UNITS)]


def get_init_inputs():
    return [FEATURES, UNITS]
