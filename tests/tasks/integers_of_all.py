"""The sum of all integers, beyond 32 bits. Scaled down to be judged."""
import torch
import torch.nn as nn


ROWS = 2048
COLS = 2304


class Model(nn.Module):
    def forward(self, x):
        return x.sum()


def get_inputs():
    return [torch.randint(0, 1000, (ROWS, COLS), dtype=torch.int32)]


def get_init_inputs():
    return []
