"""int8 activations by int8 weights, scaled per row and per column."""
import torch
import torch.nn as nn


M = 70
N = 90
K = 128


class Model(nn.Module):
    def forward(self, a, b, row_scale, col_scale):
        return (a.float() @ b.float()) * row_scale[:, None] * col_scale


def get_inputs():
    return [torch.randint(-128, 128, (M, K), dtype=torch.int8), torch.randint(-128, 128, (K, N), dtype=torch.int8),
            torch.rand(M) + 0.5, torch.rand(N) + 0.5]


def get_init_inputs():
    return []
