"""The least packed key of each row."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, segment, position):
        return ((segment << 40) | position).amin(-1)


def get_inputs():
    return [torch.randint(1 << 18, 1 << 20, (300, 256)), torch.randint(0, 1 << 30, (300, 256))]


def get_init_inputs():
    return []
