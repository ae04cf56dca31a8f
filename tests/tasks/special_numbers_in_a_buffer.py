"""Zeros where a token is one of several special ones."""
import torch
import torch.nn as nn




class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("special", torch.tensor([50256, 3, 50257]))

    def forward(self, x, y):
        special = (x.unsqueeze(-1) == self.special).any(-1)
        return torch.where(special, torch.zeros_like(y), y)


def get_inputs():
    return [torch.randint(0, 50000, (256, 512)), torch.randn(256, 512)]


def get_init_inputs():
    return []
