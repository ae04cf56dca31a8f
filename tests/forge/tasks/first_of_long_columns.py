import torch
import torch.nn as nn


class Model(nn.Module):
    """Where the largest and the smallest element of each column is, the first of equal ones; and the largest itself."""

    def forward(self, x):
        steps = torch.round(x * 2)
        largest, where = torch.max(steps, dim=1)
        return torch.argmax(x, dim=1), torch.argmin(steps, dim=1), largest, where


def get_inputs():
    return [torch.randn(4, 1100, 65)]


def get_init_inputs():
    return []
