"""The sum of integers, more than int32 holds."""
import torch
import torch.nn as nn


ROWS = 4096
COLS = 2048


class Model(nn.Module):
    def forward(self, x):
        return x.sum()


def get_inputs():
    return [torch.randint(0, 1000, (ROWS, COLS), dtype=torch.int32)]


def get_init_inputs():
    return []
