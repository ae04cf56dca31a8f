"""Sums of the rows of a matrix of more than 2^31 elements."""
import torch
import torch.nn as nn


ROWS = 70000
COLS = 40000


class Model(nn.Module):
    def forward(self, x):
        return x.sum(dim=1)


def get_inputs():
    return [torch.rand(ROWS, COLS, dtype=torch.float16).float()]


def get_init_inputs():
    return []
