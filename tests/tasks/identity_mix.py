"""A matrix that starts as the identity, and a temperature."""
import torch
import torch.nn as nn


ROWS = 64
DIM = 48


class Model(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.mix = nn.Parameter(torch.eye(dim))
        self.logit_scale = nn.Parameter(torch.ones([]) * 2.6592)

    def forward(self, x):
        return (x @ self.mix) * self.logit_scale.exp()


def get_inputs():
    return [torch.randn(ROWS, DIM)]


def get_init_inputs():
    return [DIM]
