"""Numbers of 16 bits, clamped far from what the task draws."""
import torch
import torch.nn as nn


ROWS = 64
COLS = 256


class Model(nn.Module):
    def forward(self, x):
        return x.clamp(-1000, 1000) * 0.5


def get_inputs():
    return [torch.randn(ROWS, COLS).half()]


def get_init_inputs():
    return []
