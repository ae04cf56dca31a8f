"""Attention under a boolean mask that hides nothing."""
import torch
import torch.nn as nn
import torch.nn.functional as F


BATCH = 3
LENGTH = 40
DIM = 16


class Model(nn.Module):
    def forward(self, q, k, v, mask):
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


def get_inputs():
    return [torch.randn(BATCH, LENGTH, DIM), torch.randn(BATCH, LENGTH, DIM), torch.randn(BATCH, LENGTH, DIM), torch.ones(LENGTH, LENGTH, dtype=torch.bool)]


def get_init_inputs():
    return []
