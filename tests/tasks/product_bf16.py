"""A linear layer in bfloat16 whose inner dimension is long."""
import torch
import torch.nn as nn


ROWS = 256
IN = 1024
OUT = 64


class Model(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.linear = nn.Linear(inner, outer, bias=False, dtype=torch.bfloat16)

    def forward(self, x):
        return self.linear(x)


def get_inputs():
    return [torch.randn(ROWS, IN, dtype=torch.bfloat16)]


def get_init_inputs():
    return [IN, OUT]
