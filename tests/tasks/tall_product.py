"""A product with few results and a long sum."""
import torch
import torch.nn as nn


M = 24
N = 40
K = 512


class Model(nn.Module):
    def forward(self, a, b):
        return a @ b


def get_inputs():
    return [torch.randn(M, K), torch.randn(K, N)]


def get_init_inputs():
    return []
