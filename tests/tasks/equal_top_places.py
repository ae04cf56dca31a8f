"""The four largest of every row with their positions."""
import torch
import torch.nn as nn


ROWS = 240
COLS = 64


class Model(nn.Module):
    def forward(self, x):
        values, index = torch.topk(x, 4, dim=-1)
        return values, index


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
