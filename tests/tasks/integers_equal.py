"""Large integers, compared."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, y):
        return x == y


def get_inputs():
    return [torch.randint(0, 2**40, (40, 200)), torch.randint(0, 2**40, (40, 200))]


def get_init_inputs():
    return []
