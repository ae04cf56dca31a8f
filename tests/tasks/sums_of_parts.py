"""Weighted sums of the parts of a row, whose sizes are given."""
import torch
import torch.nn as nn




class Model(nn.Module):
    def forward(self, x, sizes):
        a, b, c = torch.split(x, sizes, dim=1)
        return a.sum(1) + 2 * b.sum(1) + 3 * c.sum(1)


def get_inputs():
    return [torch.randn(256, 1024), [256, 256, 512]]


def get_init_inputs():
    return []
