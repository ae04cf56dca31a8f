import math

import torch
import torch.nn as nn


class Model(nn.Module):
    """Attention as products and a softmax: causal, with a mask that is added, and over few keys."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.register_buffer("mask", torch.tril(torch.ones(96, 96)).view(1, 1, 96, 96))

    def forward(self, x, bias, memory):
        batch, length, width = x.size()
        q, k, v = self.qkv(x).split(width, dim=2)
        q = q.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        k = k.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        v = v.view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        scores = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        scores = scores.masked_fill(self.mask[:, :, :length, :length] == 0, float("-inf"))
        causal = torch.softmax(scores, dim=-1) @ v
        biased = torch.softmax(q @ k.transpose(-2, -1) / 4.0 + bias, dim=-1) @ v
        few = torch.softmax(torch.matmul(x, memory.t()), dim=-1) @ memory
        return causal.transpose(1, 2).contiguous().view(batch, length, width) + few, biased


def get_inputs():
    return [torch.randn(2, 96, 64), torch.randn(2, 1, 96, 96), torch.randn(40, 64)]


def get_init_inputs():
    return [64, 4]
