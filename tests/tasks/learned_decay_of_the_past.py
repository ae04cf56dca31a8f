"""Sums of the past, each step fading by a rate that is a buffer."""
import torch
import torch.nn as nn

N = 24
M = 160


class Model(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("w", torch.tensor(0.6))

    def forward(self, x):
        steps = torch.arange(x.shape[1], device=x.device)
        ago = (steps[:, None] - steps[None, :]).float()
        return x @ torch.where(ago >= 0, torch.exp(-self.w * ago), 0.0).T


def get_inputs():
    return [torch.randn(N, M)]


def get_init_inputs():
    return [M]
