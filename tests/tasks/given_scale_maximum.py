"""Largest of scaled steps, by scales that are ones."""
import torch
import torch.nn as nn


BATCH = 8
STEPS = 40
COLS = 32


class Model(nn.Module):
    def forward(self, x, scale):
        return (x * scale).amax(1)


def get_inputs():
    return [torch.randn(BATCH, STEPS, COLS), torch.ones(COLS)]


def get_init_inputs():
    return []
