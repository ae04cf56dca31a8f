"""A softmax of the ten largest of every row."""
import torch
import torch.nn as nn


ROWS = 120
COLS = 100


class Model(nn.Module):
    def forward(self, x):
        least = torch.topk(x, 10, dim=-1).values[:, -1:]
        return torch.softmax(x.masked_fill(x < least, -1e30), dim=-1)


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
