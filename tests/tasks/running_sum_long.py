"""The running sum of a vector that is scaled down to be judged."""
import torch
import torch.nn as nn


COUNT = 1 << 24


class Model(nn.Module):
    def forward(self, x):
        return torch.cumsum(x, dim=0)


def get_inputs():
    return [torch.rand(COUNT)]


def get_init_inputs():
    return []
