"""Sums over the beginnings of rows, whose lengths are drawn."""
import torch
import torch.nn as nn


BATCH = 8
LENGTH = 90
DIM = 48


class Model(nn.Module):
    def forward(self, x, lengths):
        return torch.stack([x[i, :lengths[i].item()].sum(dim=0) for i in range(x.shape[0])])


def get_inputs():
    return [torch.randn(BATCH, LENGTH, DIM), torch.randint(1, LENGTH + 1, (BATCH,))]


def get_init_inputs():
    return []
