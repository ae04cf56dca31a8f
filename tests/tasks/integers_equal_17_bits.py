"""Integers up to 100000, compared."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, y):
        return x == y


def get_inputs():
    return [torch.randint(0, 100000, (40, 200)), torch.randint(0, 100000, (40, 200))]


def get_init_inputs():
    return []
