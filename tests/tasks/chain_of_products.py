"""A product after the other, each with the one before."""
import torch
import torch.nn as nn


ROWS = 128
DIM = 64
STEPS = 6


class Model(nn.Module):
    def forward(self, x, weights):
        for weight in weights:
            x = x @ weight
        return x


def get_inputs():
    return [torch.randn(ROWS, DIM, dtype=torch.float16), (torch.randn(STEPS, DIM, DIM) / 8).to(torch.float16)]


def get_init_inputs():
    return []
