"""Attention in float16 whose values are wider than its queries and keys."""
import torch
import torch.nn as nn
import torch.nn.functional as F


HEADS = 4
LENGTH = 160
DIM = 32
VALUES = 64


class Model(nn.Module):
    def forward(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v, scale=0.25)


def get_inputs():
    return [torch.randn(1, HEADS, LENGTH, DIM, dtype=torch.float16), torch.randn(1, HEADS, LENGTH, DIM, dtype=torch.float16),
            torch.randn(1, HEADS, LENGTH, VALUES, dtype=torch.float16)]


def get_init_inputs():
    return []
