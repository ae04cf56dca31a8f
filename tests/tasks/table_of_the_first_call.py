"""Numbers along rows, made by the first call."""
import torch
import torch.nn as nn

N = 40
M = 90


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = None

    def forward(self, x):
        if self.table is None:
            self.table = torch.arange(x.shape[1], device=x.device).float() / x.shape[1]
        return x + self.table


def get_inputs():
    return [torch.randn(N, M)]


def get_init_inputs():
    return []
