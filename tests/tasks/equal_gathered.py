"""The four largest by magnitude of every row, signs kept away: looked up by their places."""
import torch
import torch.nn as nn


ROWS = 120
COLS = 100


class Model(nn.Module):
    def forward(self, x):
        size = x.abs()
        _, place = torch.topk(size, 4, dim=-1)
        return torch.gather(size, 1, place)


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
