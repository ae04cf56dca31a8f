"""A capped input, and one that has a domain."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, y):
        return x.clamp(max=2.0) + torch.logit(y)


def get_inputs():
    return [torch.rand(40, 200), torch.rand(40, 200)]


def get_init_inputs():
    return []
