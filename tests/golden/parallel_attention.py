# golden: G-parallel_attention  reason: host_compute
# The normalisation, o / (z + eps), is PyTorch's.
"""Causal attention with squares for exponentials."""
import torch
import torch.nn as nn


B, H, T, K, V = 2, 4, 128, 64, 64


class Model(nn.Module):
    def forward(self, q, k, v):
        scores = (q * K ** -0.5 @ k.transpose(-1, -2)).square().tril()
        return scores @ v / (scores.sum(-1, keepdim=True) + 1e-5)


def get_inputs():
    return [torch.randn(B, H, T, K), torch.randn(B, H, T, K), torch.randn(B, H, T, V)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, q, k, v):
        return parallel_rebased(q, k, v, eps=1e-5, use_scale=True, use_normalize=True)
