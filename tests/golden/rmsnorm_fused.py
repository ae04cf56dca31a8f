# golden: G-rmsnorm_fused
"""Llama's RMSNorm as a module."""
import torch
import torch.nn as nn


ROWS, FEATURES = 4, 256


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))

    def forward(self, x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * self.weight


def get_inputs():
    return [torch.randn(ROWS, FEATURES)]


def get_init_inputs():
    return [FEATURES]


# adapter
class ModelNew(TritonLlamaRMSNorm):
    def __init__(self, features):
        super().__init__(None)
        self.weight = nn.Parameter(torch.ones(features))
