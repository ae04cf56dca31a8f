"""Relu of a product of positive matrices. Scaled down to be judged."""
import torch
import torch.nn as nn


M = 2048
N = 2048
K = 2048


class Model(nn.Module):
    def forward(self, a, b):
        return torch.relu(a @ b)


def get_inputs():
    return [torch.rand(M, K), torch.rand(K, N)]


def get_init_inputs():
    return []
