"""Softmax where a given float mask is not zero: below the diagonal."""
import torch
import torch.nn as nn


B = 8
S = 64


class Model(nn.Module):
    def forward(self, s, mask):
        return torch.softmax(s.masked_fill(mask == 0, -1e9), dim=-1)


def get_inputs():
    return [torch.randn(B, S, S), torch.tril(torch.ones(S, S))]


def get_init_inputs():
    return []
