"""In which of sixteen bins each number lies. Scaled down to be judged."""
import torch
import torch.nn as nn


ROWS = 4096
COLS = 4096


class Model(nn.Module):
    def forward(self, x):
        return torch.clamp(torch.floor(x * 16.0), 0, 15).to(torch.int64)


def get_inputs():
    return [torch.rand(ROWS, COLS)]


def get_init_inputs():
    return []
