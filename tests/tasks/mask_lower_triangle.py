"""A softmax under a mask, which is a lower triangle."""
import torch
import torch.nn as nn


B = 2
H = 2
S = 48


class Model(nn.Module):
    def forward(self, s, mask):
        return torch.softmax(s.masked_fill(~mask, -1e9), dim=-1)


def get_inputs():
    return [torch.randn(B, H, S, S), torch.tril(torch.ones(S, S, dtype=torch.bool))]


def get_init_inputs():
    return []
