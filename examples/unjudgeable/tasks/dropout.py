"""Dropout that stays active: every call has another answer, so none can be called wrong."""
import torch
import torch.nn as nn

ROWS = 1024
COLS = 1024


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        return torch.relu(self.dropout(x))


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
