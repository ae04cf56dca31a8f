"""A product in half precision."""
import torch
import torch.nn as nn


ROWS = 128
INNER = 256
COLS = 64


class Model(nn.Module):
    def forward(self, a, b):
        return a @ b


def get_inputs():
    return [torch.rand(ROWS, INNER, dtype=torch.float16), torch.rand(INNER, COLS, dtype=torch.float16)]


def get_init_inputs():
    return []
