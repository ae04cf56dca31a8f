"""A causal depthwise convolution over time with SiLU, as in state space models."""
import torch
import torch.nn as nn
import torch.nn.functional as F


BATCH = 3
DIM = 37
TIME = 130
WIDTH = 4


class Model(nn.Module):
    def __init__(self, dim, width):
        super().__init__()
        self.conv = nn.Conv1d(dim, dim, width, groups=dim, padding=width - 1)

    def forward(self, x):
        return F.silu(self.conv(x)[..., :x.shape[-1]])


def get_inputs():
    return [torch.randn(BATCH, DIM, TIME)]


def get_init_inputs():
    return [DIM, WIDTH]
