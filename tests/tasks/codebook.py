"""Weights as codes of a small table: the codes are integers, the table is drawn, both are buffers; one row in eight is permuted away."""
import torch
import torch.nn as nn


ROWS = 40
GROUPS = 48
ENTRIES = 32
WIDTH = 16


class Model(nn.Module):
    def __init__(self, groups, entries, width):
        super().__init__()
        self.register_buffer("codes", torch.randint(0, entries, (groups,)))
        self.register_buffer("table", torch.randn(entries, width))
        self.register_buffer("order", torch.randperm(groups))

    def forward(self, x):
        return x[:, self.order, None] * self.table[self.codes][None]


def get_inputs():
    return [torch.randn(ROWS, GROUPS)]


def get_init_inputs():
    return [GROUPS, ENTRIES, WIDTH]
