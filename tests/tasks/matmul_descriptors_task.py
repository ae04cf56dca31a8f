"""A @ B.T in bfloat16, with sizes that tensor descriptors take."""
import torch
import torch.nn as nn


M = 192
N = 128
K = 160


class Model(nn.Module):
    def forward(self, a, b):
        return a @ b.t()


def get_inputs():
    return [torch.randn(M, K, dtype=torch.bfloat16), torch.randn(N, K, dtype=torch.bfloat16)]


def get_init_inputs():
    return []
