"""Inputs that are views: a transpose, every second column, an offset slice, an expanded row."""
import torch
import torch.nn as nn


ROWS = 37
COLS = 60


class Model(nn.Module):
    def forward(self, turned, thinned, slice, row):
        return turned * thinned + slice - row


def get_inputs():
    return [torch.randn(COLS, ROWS).t(), torch.randn(ROWS, 2 * COLS)[:, ::2], torch.randn(ROWS + 5, COLS)[3:-2],
            torch.randn(1, COLS).expand(ROWS, COLS)]


def get_init_inputs():
    return []
