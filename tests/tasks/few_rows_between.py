"""Four long rows, moved to [0, 1]."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        low, high = x.amin(1, keepdim=True), x.amax(1, keepdim=True)
        return (x - low) / (high - low + 1e-8)


def get_inputs():
    return [torch.randn(4, 20000)]


def get_init_inputs():
    return []
