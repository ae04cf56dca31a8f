"""The mean of what is asked for, and the sum of the four largest: of rows."""
import torch
import torch.nn as nn


ROWS = 120
COLS = 100


class Model(nn.Module):
    def forward(self, x, asked):
        top = torch.topk(x, 4, dim=-1).values.sum(-1)
        return top + (x * asked).sum(-1) / asked.sum(-1).clamp(min=1)


def get_inputs():
    return [torch.randn(ROWS, COLS), torch.randint(0, 2, (ROWS, COLS))]


def get_init_inputs():
    return []
