"""A gate of a feed-forward layer with a bias: elements and rows of 3072."""
import torch
import torch.nn as nn
import torch.nn.functional as F


TOKENS = 1280
WIDTH = 3072


class Model(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.bias = nn.Parameter(torch.randn(width))

    def forward(self, x, y):
        return F.silu(x + self.bias) * y


def get_inputs():
    return [torch.randn(TOKENS, WIDTH), torch.randn(TOKENS, WIDTH)]


def get_init_inputs():
    return [WIDTH]
