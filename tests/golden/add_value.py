# golden: G-add_value
"""Ten more than each element (the program's numbers as draws)."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return x + 10


def get_inputs():
    return [torch.randn(8) * 4]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, x):
        return puzzle1(x)
