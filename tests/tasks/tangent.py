"""Tangents."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.tan(x)


def get_inputs():
    return [torch.rand(64, 500)]


def get_init_inputs():
    return []
