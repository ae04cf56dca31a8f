"""Doubles what is above a number, which the inputs seldom are."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.where(x > 0.6, 2 * x, x)


def get_inputs():
    return [torch.randn(64, 96)]


def get_init_inputs():
    return []
