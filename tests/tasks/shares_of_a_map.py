"""A softmax over whole maps."""
import torch
import torch.nn as nn

N = 40
H = 30
W = 30


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return torch.softmax(x.flatten(1), 1)


def get_inputs():
    return [torch.randn(N, H, W)]


def get_init_inputs():
    return []
