"""The mean over unmasked positions; the mask is integers, all one."""
import torch
import torch.nn as nn


B = 8
S = 128
D = 64


class Model(nn.Module):
    def forward(self, x, mask):
        m = mask.unsqueeze(-1).to(x.dtype)
        return (x * m).sum(1) / m.sum(1).clamp(min=1e-9)


def get_inputs():
    return [torch.randn(B, S, D), torch.ones(B, S, dtype=torch.int64)]


def get_init_inputs():
    return []
