"""Places in a cumulative sum of probabilities."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, e, x):
        return torch.searchsorted(e, x)


def get_inputs():
    return [torch.cumsum(torch.rand(64), 0), torch.rand(64, 256) * 40]


def get_init_inputs():
    return []
