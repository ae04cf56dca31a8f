# golden: G-max_reduction
"""The maximum of all elements, in two launches."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.max(x)


def get_inputs():
    return [torch.randn(1024)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, x):
        return max(x)
