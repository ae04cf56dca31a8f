"""Fibonacci hashing, as 64 bits wrap."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return (x * -7046029254386353131) ^ (x >> 29)


def get_inputs():
    return [torch.randint(-(1 << 62), 1 << 62, (64, 512))]


def get_init_inputs():
    return []
