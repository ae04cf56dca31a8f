"""Weights of eight bits with a scale in a buffer."""
import torch
import torch.nn as nn


N = 64
K = 96


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("q_scale", torch.full((K,), 0.02))
        self.register_buffer("q_zero", torch.zeros(K, dtype=torch.int32))
        self.register_buffer("w", torch.randint(-128, 127, (K,), dtype=torch.int8))

    def forward(self, x):
        return torch.relu(x * ((self.w.float() - self.q_zero.float()) * self.q_scale))


def get_inputs():
    return [torch.randn(N, K)]


def get_init_inputs():
    return []
