"""Four activations of one tensor, stacked: mish, softplus, ELU and hard swish."""
import torch
import torch.nn as nn
import torch.nn.functional as F


COUNT = 20011


class Model(nn.Module):
    def forward(self, x):
        return torch.stack([F.mish(x), F.softplus(x), F.elu(x), F.hardswish(x)])


def get_inputs():
    return [3 * torch.randn(COUNT)]


def get_init_inputs():
    return []
