# golden: G-matmul_leakyrelu
"""A product in float16 and its leaky ReLU."""
import torch
import torch.nn as nn
import torch.nn.functional as F


M, K, N = 64, 128, 64


class Model(nn.Module):
    def forward(self, a, b):
        return F.leaky_relu(a @ b, 0.01)


def get_inputs():
    return [torch.randn((M, K), dtype=torch.float16), torch.randn((K, N), dtype=torch.float16)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, a, b):
        return matmul(a, b, activation="leaky_relu")
