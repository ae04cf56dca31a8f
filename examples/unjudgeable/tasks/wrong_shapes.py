"""A task with a mistake of its own: the matrices do not fit together."""
import torch
import torch.nn as nn

M = 256
N = 512


class Model(nn.Module):
    def forward(self, a, b):
        return a @ b


def get_inputs():
    return [torch.randn(M, N), torch.randn(M, N)]


def get_init_inputs():
    return []
