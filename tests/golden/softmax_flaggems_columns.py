# golden: G-softmax_flaggems
"""Softmax of columns in float16."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.softmax(x, 0)


def get_inputs():
    return [torch.rand((4, 5), dtype=torch.float16)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, x):
        return softmax(x, dim=0)
