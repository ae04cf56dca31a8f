"""The sum of several products."""
import torch
import torch.nn as nn


ROWS = 64
DIM = 64
STEPS = 5


class Model(nn.Module):
    def forward(self, x, weights):
        return (x.float() @ weights.float()).sum(dim=0)


def get_inputs():
    return [torch.randn(STEPS, ROWS, DIM, dtype=torch.float16), torch.randn(STEPS, DIM, DIM, dtype=torch.float16)]


def get_init_inputs():
    return []
