"""The sum over the middle dimension, in bfloat16."""
import torch
import torch.nn as nn


A = 12
B = 333
C = 70


class Model(nn.Module):
    def forward(self, x):
        return x.sum(dim=1)


def get_inputs():
    return [torch.randn(A, B, C, dtype=torch.bfloat16)]


def get_init_inputs():
    return []
