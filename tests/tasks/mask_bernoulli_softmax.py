"""Softmax over a mask, and zeros where nothing is left of a row."""
import torch
import torch.nn as nn


ROWS = 1024
COLS = 96


class Model(nn.Module):
    def forward(self, x, mask):
        out = torch.softmax(x.masked_fill(~mask, -1e9), -1)
        return torch.where(mask.any(-1, keepdim=True), out, torch.zeros_like(x))


def get_inputs():
    return [torch.randn(ROWS, COLS), torch.bernoulli(torch.full((ROWS, COLS), 0.5)).bool()]


def get_init_inputs():
    return []
