import torch
import torch.nn as nn

ROWS = 65536
COLS = 768


class Model(nn.Module):
    def forward(self, x):
        return (1.0 + 0.01 * x).prod(dim=-1)


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
