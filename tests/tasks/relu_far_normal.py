"""Relu of numbers that the task draws around five: none of them is negative."""
import torch
import torch.nn as nn


ROWS = 96
COLS = 200


class Model(nn.Module):
    def forward(self, x, y):
        return torch.relu(x), torch.relu(y) + y


def get_inputs():
    return [torch.normal(5.0, 0.5, (ROWS, COLS)), torch.randn(ROWS, COLS) * 0.5 + 5]


def get_init_inputs():
    return []
