"""Grouped-query attention in bfloat16: four query heads share a key head; lengths that are no multiples."""
import torch
import torch.nn as nn
import torch.nn.functional as F


BATCH = 2
HEADS = 8
KV_HEADS = 2
LENGTH = 75
DIM = 32


class Model(nn.Module):
    def forward(self, q, k, v):
        return F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)


def get_inputs():
    return [torch.randn(BATCH, HEADS, LENGTH, DIM, dtype=torch.bfloat16),
            torch.randn(BATCH, KV_HEADS, LENGTH, DIM, dtype=torch.bfloat16),
            torch.randn(BATCH, KV_HEADS, LENGTH, DIM, dtype=torch.bfloat16)]


def get_init_inputs():
    return []
