"""Flags where whole numbers reach a threshold of the module."""
import torch
import torch.nn as nn




class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("t", torch.tensor(1.0))

    def forward(self, x):
        return torch.where(x >= self.t, torch.ones_like(x), torch.zeros_like(x))


def get_inputs():
    return [torch.randint(-8, 8, (1024, 1024)).float()]


def get_init_inputs():
    return []
