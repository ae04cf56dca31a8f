# golden: G-softmax_flaggems
"""Softmax of rows."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.softmax(x, 1)


def get_inputs():
    return [torch.rand(1024, 1024)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, x):
        return softmax(x, dim=1)
