"""Attention in bfloat16, all keys seen by all queries."""
import torch
import torch.nn as nn
import torch.nn.functional as F


HEADS = 3
LENGTH = 200
DIM = 32


class Model(nn.Module):
    def forward(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v)


def get_inputs():
    return [2 * torch.randn(1, HEADS, LENGTH, DIM, dtype=torch.bfloat16), torch.randn(1, HEADS, LENGTH, DIM, dtype=torch.bfloat16),
            torch.randn(1, HEADS, LENGTH, DIM, dtype=torch.bfloat16)]


def get_init_inputs():
    return []
