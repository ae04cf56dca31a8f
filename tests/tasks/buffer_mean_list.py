"""Normalised by short lists in buffers."""
import torch
import torch.nn as nn


N = 8
C = 3
HW = 100


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.tensor([0.485, 0.456, 0.406]))
        self.register_buffer("std", torch.tensor([0.229, 0.224, 0.225]))

    def forward(self, x):
        return torch.tanh((x - self.mean[None, :, None]) / self.std[None, :, None])


def get_inputs():
    return [torch.rand(N, C, HW)]


def get_init_inputs():
    return []
