"""Dice loss of each sample."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, y):
        return 1 - (2 * (x * y).sum(dim=1) + 1e-6) / (x.sum(dim=1) + y.sum(dim=1) + 1e-6)


def get_inputs():
    return [torch.rand(40, 200), torch.rand(40, 200)]


def get_init_inputs():
    return []
