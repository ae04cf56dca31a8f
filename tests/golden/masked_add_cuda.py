# golden: G-masked_add_cuda
"""Decay added to a gradient in place, where a mask is zero."""
import torch
import torch.nn as nn


N = 10000


class Model(nn.Module):
    def forward(self, grad, p, p_mask):
        grad.add_(p * (1 - p_mask), alpha=0.5)
        return grad


def get_inputs():
    return [torch.randn(N), torch.randn(N), torch.randint(0, 2, (N,))]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, grad, p, p_mask):
        masked_add(grad, p, p_mask, alpha=0.5)
        return grad
