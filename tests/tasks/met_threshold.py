"""Another number below a threshold, and nothing near zero."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def forward(self, x):
        return F.threshold(x, 0.3, 20.0), F.hardshrink(x, 0.7)


def get_inputs():
    return [torch.randn(64, 96)]


def get_init_inputs():
    return []
