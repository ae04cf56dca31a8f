"""Scaled and shifted by Python floats."""
import torch
import torch.nn as nn


N = 64
M = 80


class Model(nn.Module):
    def forward(self, x, alpha, beta):
        return torch.relu(x) * alpha + beta


def get_inputs():
    return [torch.randn(N, M), 0.5, 2.0]


def get_init_inputs():
    return []
