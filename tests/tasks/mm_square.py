"""A square product in half precision with one size, too large to be interpreted as it is."""
import torch
import torch.nn as nn


N = 3072


class Model(nn.Module):
    def forward(self, a, b):
        return a @ b


def get_inputs():
    return [torch.randn(N, N, dtype=torch.float16), torch.randn(N, N, dtype=torch.float16)]


def get_init_inputs():
    return []
