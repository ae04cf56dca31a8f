"""An optimiser's step: momentum and weights are updated in place and returned."""
import torch
import torch.nn as nn


COUNT = 4001


class Model(nn.Module):
    def forward(self, weight, gradient, momentum):
        momentum.mul_(0.9).add_(gradient)
        weight.sub_(0.01 * momentum)
        return weight, momentum


def get_inputs():
    return [torch.randn(COUNT) for _ in range(3)]


def get_init_inputs():
    return []
