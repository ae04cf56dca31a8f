"""Rows over their root mean square, with an eps that is a number of the call."""
import torch
import torch.nn as nn


ROWS = 96
COLS = 200


class Model(nn.Module):
    def forward(self, x, eps):
        return x * torch.rsqrt(x.pow(2).mean(dim=1, keepdim=True) + eps)


def get_inputs():
    return [torch.randn(ROWS, COLS), 1e-5]


def get_init_inputs():
    return []
