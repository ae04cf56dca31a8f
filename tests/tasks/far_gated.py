"""A gated linear unit."""
import torch
import torch.nn as nn
import torch.nn.functional as F


BATCH = 512
ROWS = 512
COLS = 512


class Model(nn.Module):
    def forward(self, x):
        return F.glu(x, dim=2)


def get_inputs():
    return [torch.randn(BATCH, ROWS, COLS)]


def get_init_inputs():
    return []
