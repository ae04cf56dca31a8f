"""What two rows hold together divides."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, y):
        return 1.0 / (x.abs().sum(1) + y.abs().sum(1) + 1e-3)


def get_inputs():
    return [torch.randn(40, 200), torch.randn(40, 200)]


def get_init_inputs():
    return []
