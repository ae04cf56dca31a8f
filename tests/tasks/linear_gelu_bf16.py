"""A feed-forward block in bfloat16: linear, GELU (tanh), linear."""
import torch
import torch.nn as nn
import torch.nn.functional as F


ROWS = 40
DIM = 128
INNER = 512


class Model(nn.Module):
    def __init__(self, dim, inner):
        super().__init__()
        self.up = nn.Linear(dim, inner).bfloat16()
        self.down = nn.Linear(inner, dim).bfloat16()

    def forward(self, x):
        return self.down(F.gelu(self.up(x), approximate="tanh"))


def get_inputs():
    return [torch.randn(ROWS, DIM, dtype=torch.bfloat16)]


def get_init_inputs():
    return [DIM, INNER]
