"""x + 2 y on flat tensors."""
import torch
import torch.nn as nn


COUNT = 5000


class Model(nn.Module):
    def forward(self, x, y):
        return x + 2.0 * y


def get_inputs():
    return [torch.randn(COUNT), torch.randn(COUNT)]


def get_init_inputs():
    return []
