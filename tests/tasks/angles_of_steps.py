"""Sines and cosines of steps at falling frequencies."""
import torch
import torch.nn as nn

N = 200


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, t):
        f = torch.exp(torch.arange(40, device=t.device).float() * (-8.0 / 40))
        a = t[:, None].float() * f
        return torch.cat([torch.sin(a), torch.cos(a)], 1)


def get_inputs():
    return [torch.randint(0, 900, (N,))]


def get_init_inputs():
    return []
