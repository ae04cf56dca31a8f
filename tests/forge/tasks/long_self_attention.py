"""Attention over rows so long that no element of it can be computed alone in the time there is."""
import torch
import torch.nn as nn
import torch.nn.functional as F

BATCH = 8
LENGTH = 8192
WIDTH = 512


class Model(nn.Module):
    """Queries, keys and values are one projection each; the scores' scale follows the width."""

    def __init__(self, width: int):
        super().__init__()
        self.query = nn.Linear(width, width, bias=False)
        self.key = nn.Linear(width, width, bias=False)

    def forward(self, x):
        scores = self.query(x) @ self.key(x).transpose(1, 2) * x.shape[-1] ** -0.5
        return torch.softmax(scores, dim=-1) @ x


def get_inputs():
    return [torch.randn(BATCH, LENGTH, WIDTH)]


def get_init_inputs():
    return [WIDTH]
