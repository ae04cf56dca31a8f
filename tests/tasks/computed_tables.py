"""Scores under a causal mask and a table of decays; both are buffers that the constructor computes."""
import torch
import torch.nn as nn


B = 8
S = 64


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mask", torch.tril(torch.ones(S, S, dtype=torch.bool)))
        self.register_buffer("decay", torch.exp(-0.05 * torch.arange(S, dtype=torch.float32)))

    def forward(self, x):
        return torch.where(self.mask, x, 0.0) * self.decay


def get_inputs():
    return [torch.randn(B, S, S)]


def get_init_inputs():
    return []
