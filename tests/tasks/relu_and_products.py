"""Relu, and the products of rows. Scaled down to be judged."""
import torch
import torch.nn as nn


R = 32768
C = 512


class Model(nn.Module):
    def forward(self, x):
        return torch.relu(x), torch.prod(1.0 + 0.01 * x, dim=-1)


def get_inputs():
    return [torch.randn(R, C)]


def get_init_inputs():
    return []
