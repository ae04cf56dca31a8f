"""A batched product whose second operand is one matrix, expanded over the batch."""
import torch
import torch.nn as nn


BATCH = 7
M = 45
N = 50
K = 33


class Model(nn.Module):
    def forward(self, a, b):
        return torch.bmm(a, b.expand(a.shape[0], -1, -1))


def get_inputs():
    return [torch.randn(BATCH, M, K), torch.randn(1, K, N)]


def get_init_inputs():
    return []
