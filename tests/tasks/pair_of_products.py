"""Two products of different sizes: what a grouped kernel is for."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, a, b, c, d):
        return a @ b, c @ d


def get_inputs():
    return [torch.randn(32, 64), torch.randn(64, 48), torch.randn(64, 32), torch.randn(32, 80)]


def get_init_inputs():
    return []
