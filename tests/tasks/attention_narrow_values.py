"""Attention in bfloat16 whose values are narrower than its queries and keys."""
import torch
import torch.nn as nn
import torch.nn.functional as F


HEADS = 4
LENGTH = 160
DIM = 64
VALUES = 32


class Model(nn.Module):
    def forward(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v)


def get_inputs():
    return [torch.randn(1, HEADS, LENGTH, DIM, dtype=torch.bfloat16), torch.randn(1, HEADS, LENGTH, DIM, dtype=torch.bfloat16),
            torch.randn(1, HEADS, LENGTH, VALUES, dtype=torch.bfloat16)]


def get_init_inputs():
    return []
