"""The weights of all that fall into a bin."""
import torch
import torch.nn as nn


COUNT = 700
BINS = 24


class Model(nn.Module):
    def forward(self, bins, weights):
        return torch.bincount(bins, weights=weights, minlength=BINS)


def get_inputs():
    return [torch.randint(0, BINS, (COUNT,)), torch.rand(COUNT)]


def get_init_inputs():
    return []
