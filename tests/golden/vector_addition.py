# golden: G-vector_addition
"""A sum of vectors."""
import torch
import torch.nn as nn


SIZE = 98432


class Model(nn.Module):
    def forward(self, x, y):
        return x + y


def get_inputs():
    return [torch.rand(SIZE), torch.rand(SIZE)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, x, y):
        return add(x, y)
