"""Rows turned by angles that grow with the row: cosines and sines are the module's own affair."""
import torch
import torch.nn as nn


ROWS = 128
DIM = 64


class Model(nn.Module):
    def forward(self, x):
        rate = 0.5 ** torch.arange(x.shape[1] // 2, device=x.device)
        angle = torch.arange(x.shape[0], device=x.device)[:, None] * rate
        a, b = x.chunk(2, dim=1)
        return torch.cat([a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()], dim=1)


def get_inputs():
    return [torch.randn(ROWS, DIM)]


def get_init_inputs():
    return []
