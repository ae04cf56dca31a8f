"""Group norm of one sample, of two groups."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def forward(self, x):
        return F.group_norm(x, 2)


def get_inputs():
    return [torch.randn(1, 8, 40, 40)]


def get_init_inputs():
    return []
