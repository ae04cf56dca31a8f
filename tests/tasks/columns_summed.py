"""Sums over the first dimension."""
import torch
import torch.nn as nn


ROWS = 1024
COLS = 96


class Model(nn.Module):
    def forward(self, x):
        return x.sum(dim=0)


def get_inputs():
    return [torch.rand(ROWS, COLS)]


def get_init_inputs():
    return []
