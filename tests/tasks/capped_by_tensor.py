"""A cap that is a tensor of one number, above all that the task draws."""
import torch
import torch.nn as nn


ROWS = 64
COLS = 256


class Model(nn.Module):
    def forward(self, x):
        return torch.minimum(x, torch.tensor(5000.0, device=x.device)) * 2


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
