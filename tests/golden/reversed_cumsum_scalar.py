# golden: G-reversed_cumsum_scalar
"""Sums from each step to the end."""
import torch
import torch.nn as nn


B, H, T = 2, 3, 4


class Model(nn.Module):
    def forward(self, s):
        return s.flip(-1).cumsum(-1).flip(-1)


def get_inputs():
    return [torch.rand((B, H, T), dtype=torch.float32)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, s):
        return chunk_global_reversed_cumsum_scalar(s)
