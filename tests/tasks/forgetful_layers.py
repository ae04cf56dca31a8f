"""Forty linear layers at their default initialisation: of the input nothing is left at the end."""
import torch
import torch.nn as nn


ROWS = 32
DIM = 32
LAYERS = 40


class Model(nn.Module):
    def __init__(self, layers, dim):
        super().__init__()
        self.weights = nn.Parameter(torch.empty(layers, dim, dim).uniform_(-dim ** -0.5, dim ** -0.5))
        self.biases = nn.Parameter(torch.empty(layers, dim).uniform_(-dim ** -0.5, dim ** -0.5))

    def forward(self, x):
        for weight, bias in zip(self.weights, self.biases):
            x = x @ weight + bias
        return x


def get_inputs():
    return [torch.randn(ROWS, DIM)]


def get_init_inputs():
    return [LAYERS, DIM]
