"""Scores whose masked positions are left out; the mask is integers, all one."""
import torch
import torch.nn as nn


B = 4
H = 2
S = 64


class Model(nn.Module):
    def forward(self, scores, attention_mask):
        s = scores.masked_fill(attention_mask[:, None, None, :] == 0, -1e9)
        return torch.softmax(s, dim=-1)


def get_inputs():
    return [torch.randn(B, H, S, S), torch.ones(B, S, dtype=torch.long)]


def get_init_inputs():
    return []
