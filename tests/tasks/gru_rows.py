"""A GRU over sequences, from a given state."""
import torch
import torch.nn as nn


BATCH = 6
LENGTH = 20
FEATURES = 32
UNITS = 32


class Model(nn.Module):
    def __init__(self, features, units):
        super().__init__()
        self.gru = nn.GRU(features, units, batch_first=True)

    def forward(self, x, start):
        states, _ = self.gru(x, start)
        return states


def get_inputs():
    return [torch.randn(BATCH, LENGTH, FEATURES), torch.randn(1, BATCH, UNITS)]


def get_init_inputs():
    return [FEATURES, UNITS]
