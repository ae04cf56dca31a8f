"""A loss of which every label may be ignored."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    def forward(self, x, y):
        k = y != -100
        l = F.cross_entropy(x, y.clamp(min=0), reduction='none')
        return (l * k).sum() / k.sum().clamp(min=1)


def get_inputs():
    return [torch.randn(200, 30), torch.randint(0, 30, (200,))]


def get_init_inputs():
    return []
