"""A softmax, or its logarithm where a flag says so."""
import torch
import torch.nn as nn


ROWS = 96
COLS = 200


class Model(nn.Module):
    def forward(self, x, logarithm):
        y = torch.softmax(x, dim=1)
        return torch.log(y) if logarithm else y


def get_inputs():
    return [torch.randn(ROWS, COLS), False]


def get_init_inputs():
    return []
