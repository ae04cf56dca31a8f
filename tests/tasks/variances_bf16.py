import torch
import torch.nn as nn

ROWS = 4096
COLS = 1536


class Model(nn.Module):
    def forward(self, x):
        return torch.var(x, dim=-1)


def get_inputs():
    return [torch.randn(ROWS, COLS).to(torch.bfloat16)]


def get_init_inputs():
    return []
