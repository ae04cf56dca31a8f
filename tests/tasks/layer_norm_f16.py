"""Layer normalisation in half precision."""
import torch
import torch.nn as nn


ROWS = 60
DIM = 384


class Model(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim).half()

    def forward(self, x):
        return self.norm(x)


def get_inputs():
    return [torch.randn(ROWS, DIM, dtype=torch.float16)]


def get_init_inputs():
    return [DIM]
