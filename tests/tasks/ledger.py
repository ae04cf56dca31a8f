"""Balances behind each of the postings of a row."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return torch.cumsum(x, dim=1)


def get_inputs():
    return [torch.randint(-(1 << 55), 1 << 55, (96, 256))]


def get_init_inputs():
    return []
