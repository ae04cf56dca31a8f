import torch
import torch.nn as nn


class Model(nn.Module):
    """The largest element of each row and where it is, as the first of one."""

    def forward(self, x):
        values, places = torch.topk(x, 1, dim=-1)
        return values, places


ROWS, COLS = 48, 20000


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
