"""A linear layer whose weight a hook computes before each call, in the place of the one from the constructor."""
import torch
import torch.nn as nn


ROWS = 256
INNER = 96
OUTER = 80


class Model(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.fc = torch.nn.utils.weight_norm(nn.Linear(inner, outer))

    def forward(self, x):
        return self.fc(x)


def get_inputs():
    return [torch.randn(ROWS, INNER)]


def get_init_inputs():
    return [INNER, OUTER]
