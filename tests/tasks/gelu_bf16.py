"""GELU in its tanh form, bfloat16, one step at a time."""
import math

import torch
import torch.nn as nn


COUNT = 30011


class Model(nn.Module):
    def forward(self, x):
        return 0.5 * x * (1.0 + torch.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))))


def get_inputs():
    return [2 * torch.randn(COUNT, dtype=torch.bfloat16)]


def get_init_inputs():
    return []
