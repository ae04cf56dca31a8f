"""Cosine of pairs of rows, whose guard is added to the product of both lengths."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, y):
        return (x * y).sum(1) / (x.norm(dim=1) * y.norm(dim=1) + 1e-8)


def get_inputs():
    return [torch.randn(40, 200), torch.randn(40, 200)]


def get_init_inputs():
    return []
