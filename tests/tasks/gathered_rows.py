"""Rows of a table by 64-bit ids, where a mask lets them through."""
import torch
import torch.nn as nn


COUNT = 60
ROWS = 100
DIM = 80


class Model(nn.Module):
    def forward(self, table, ids, mask):
        return table[ids] * mask.unsqueeze(-1)


def get_inputs():
    return [torch.randn(ROWS, DIM), torch.randint(0, ROWS, (COUNT,)), torch.rand(COUNT) > 0.3]


def get_init_inputs():
    return []
