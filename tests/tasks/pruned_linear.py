"""A linear layer with a random mask over its weights, and signs in one byte each that were computed from a draw."""
import torch
import torch.nn as nn


ROWS = 64
IN = 80
OUT = 56


class Model(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(outer, inner) * 0.1)
        self.register_buffer("mask", torch.rand(outer, inner) > 0.5)
        self.register_buffer("signs", torch.randn(outer).sign().to(torch.int8))

    def forward(self, x):
        return (x @ (self.weight * self.mask).t()) * self.signs


def get_inputs():
    return [torch.randn(ROWS, IN)]


def get_init_inputs():
    return [IN, OUT]
