"""The mean of each row where its label is not -1: zero where none is left."""
import torch
import torch.nn as nn

ROWS = 512
COLUMNS = 1000


class Model(nn.Module):
    def forward(self, x, labels):
        kept = (labels != -1).float()
        return (x * kept).sum(1) / kept.sum(1).clamp(min=1)


def get_inputs():
    return [torch.randn(ROWS, COLUMNS), torch.randint(0, 1000, (ROWS, COLUMNS))]


def get_init_inputs():
    return []
