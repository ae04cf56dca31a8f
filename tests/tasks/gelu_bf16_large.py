"""GELU of bfloat16 inputs that are cast from draws. Scaled down to be judged."""
import torch
import torch.nn as nn


ROWS = 4096
COLS = 8192


class Model(nn.Module):
    def forward(self, x):
        return torch.nn.functional.gelu(x)


def get_inputs():
    return [torch.randn(ROWS, COLS).to(torch.bfloat16)]


def get_init_inputs():
    return []
