"""Rows to int8 with a scale each, and back: the codes, the scales, what is lost."""
import torch
import torch.nn as nn


ROWS = 200
COLS = 1000


class Model(nn.Module):
    def forward(self, x):
        scale = x.abs().amax(dim=1, keepdim=True).clamp_min(1e-8) / 127.0
        codes = torch.round(x / scale).clamp(-128, 127)
        return codes.to(torch.int8), scale, x - codes * scale


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
