"""A product whose sizes are no multiples of a tile's."""
import torch
import torch.nn as nn


M = 100
N = 84
K = 64


class Model(nn.Module):
    def forward(self, a, b):
        return a @ b


def get_inputs():
    return [torch.randn(M, K), torch.randn(K, N)]


def get_init_inputs():
    return []
