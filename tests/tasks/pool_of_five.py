"""Max pooling by windows of five with two places of padding."""
import torch
import torch.nn as nn
import torch.nn.functional as F

N = 8
C = 12
L = 200


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return F.max_pool1d(x, 5, stride=2, padding=2)


def get_inputs():
    return [torch.randn(N, C, L)]


def get_init_inputs():
    return []
