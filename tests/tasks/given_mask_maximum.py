"""Largest of the steps that a mask of ones allows."""
import torch
import torch.nn as nn


BATCH = 8
STEPS = 40
COLS = 32


class Model(nn.Module):
    def forward(self, x, mask):
        return x.masked_fill(~mask.unsqueeze(-1), -1e30).amax(1)


def get_inputs():
    return [torch.randn(BATCH, STEPS, COLS), torch.ones(BATCH, STEPS, dtype=torch.bool)]


def get_init_inputs():
    return []
