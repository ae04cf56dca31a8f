"""A capped input, and two that have a domain."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, y, z):
        return x.clamp(max=2.0) + torch.logit(y) * torch.logit(z)


def get_inputs():
    return [torch.rand(40, 200), torch.rand(40, 200), torch.rand(40, 200)]


def get_init_inputs():
    return []
