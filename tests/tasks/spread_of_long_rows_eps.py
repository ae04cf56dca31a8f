import torch
import torch.nn as nn

ROWS = 2048
COLS = 24576


class Model(nn.Module):
    def forward(self, x):
        return torch.sqrt(torch.var(x, dim=-1) + 1e-6)


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
