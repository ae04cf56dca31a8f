"""Softmax of rows, in which a mask of ones leaves all places, and what it leaves out is minus infinity."""
import torch
import torch.nn as nn


BATCH = 8
ROWS = 6
COLS = 100


class Model(nn.Module):
    def forward(self, x, mask):
        return torch.softmax(x.masked_fill(mask[:, None, :] == 0, float("-inf")), dim=-1)


def get_inputs():
    return [torch.randn(BATCH, ROWS, COLS), torch.ones(BATCH, COLS)]


def get_init_inputs():
    return []
