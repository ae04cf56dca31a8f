# golden: G-sin_computation
"""Sines (the program's numbers as draws)."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.sin(x)


def get_inputs():
    return [torch.rand(4) * 15]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        sin_triton(x, out)
        return out
