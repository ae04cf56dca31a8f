# golden: G-triton_mul2
"""Twice each element, as a new tensor and then in place."""
import torch
import torch.nn as nn


N = 1024 * 1024


class Model(nn.Module):
    def forward(self, x):
        twice = 2 * x
        x.mul_(2)
        return twice, x


def get_inputs():
    return [torch.randn(N)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, x):
        return triton_mul2(x, BLOCK_SIZE=1024), triton_mul2_inplace(x, BLOCK_SIZE=1024)
