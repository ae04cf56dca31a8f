"""How many numbers of each row are above one, of a matrix that is scaled down to be judged."""
import torch
import torch.nn as nn


ROWS = 4096
COLS = 4096


class Model(nn.Module):
    def forward(self, x):
        return (x > 1.0).sum(dim=1)


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
