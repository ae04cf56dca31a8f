"""A float32 product with a transposed operand, large enough to be scaled down."""
import torch
import torch.nn as nn


M = 4096
N = 2048
K = 1024


class Model(nn.Module):
    def forward(self, a, b):
        return torch.matmul(a.T, b)


def get_inputs():
    return [torch.rand(K, M), torch.rand(K, N)]


def get_init_inputs():
    return []
