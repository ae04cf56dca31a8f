"""A linear layer in bfloat16 with long sums: a wrong operand or a missing bias is small beside the terms of a sum."""
import torch
import torch.nn as nn


ROWS = 33
OUT = 48
IN = 4096


class Model(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.linear = nn.Linear(inner, outer).bfloat16()

    def forward(self, x):
        return self.linear(x)


def get_inputs():
    return [torch.rand(ROWS, IN).bfloat16()]


def get_init_inputs():
    return [IN, OUT]
