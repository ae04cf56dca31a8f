"""RMS normalisation of many rows of 2048: more memory than the whole task is interpreted with."""
import torch
import torch.nn as nn


ROWS = 12288
DIM = 2048


class Model(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * self.gain


def get_inputs():
    return [torch.randn(ROWS, DIM)]


def get_init_inputs():
    return [DIM]
