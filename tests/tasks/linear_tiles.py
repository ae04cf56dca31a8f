"""A linear layer in half precision: sizes of whole tiles, none of them a power of two."""
import torch
import torch.nn as nn


ROWS = 640
IN = 1536
OUT = 1280


class Model(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.linear = nn.Linear(inner, outer).half()

    def forward(self, x):
        return self.linear(x)


def get_inputs():
    return [torch.randn(ROWS, IN, dtype=torch.float16)]


def get_init_inputs():
    return [IN, OUT]
