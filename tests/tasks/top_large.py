"""The four largest numbers of each row and where they lie. Scaled down to be judged."""
import torch
import torch.nn as nn


ROWS = 4096
COLS = 4096


class Model(nn.Module):
    def forward(self, x):
        values, index = torch.topk(x, 4, dim=1)
        return values, index


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
