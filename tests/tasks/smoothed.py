"""Exponential smoothing along rows."""
import torch
import torch.nn as nn


ROWS = 40
COLS = 128


class Model(nn.Module):
    def forward(self, x):
        h = torch.zeros_like(x[:, 0])
        out = []
        for i in range(x.shape[1]):
            h = 0.9 * h + x[:, i]
            out.append(h)
        return torch.stack(out, dim=1)


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
