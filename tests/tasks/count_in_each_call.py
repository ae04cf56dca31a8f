"""A gain that grows with the calls, up to one."""
import torch
import torch.nn as nn

N = 40
M = 90


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.calls = 0

    def forward(self, x):
        self.calls += 1
        return x * min(1.0, self.calls / 8)


def get_inputs():
    return [torch.randn(N, M)]


def get_init_inputs():
    return []
