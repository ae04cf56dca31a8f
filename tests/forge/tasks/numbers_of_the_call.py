"""Python numbers among the arguments: factors, a count, and a flag that the kernel is made for."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, scale: float, shift: float, count: int, centred: bool = False):
        y = x * scale - shift
        if centred:
            y = y - y.mean(-1, keepdim=True)
        return y, x[:, :count] / count


def get_inputs():
    return [torch.randn(64, 300), 1.7, -0.25, 40, True]


def get_init_inputs():
    return []
