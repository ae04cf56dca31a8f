"""The number of steps of a hundredth below a smooth function, of a matrix that is scaled down to be judged."""
import torch
import torch.nn as nn


ROWS = 4096
COLS = 4096


class Model(nn.Module):
    def forward(self, x):
        return torch.floor(torch.sin(x) * 100.0).to(torch.int32)


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
