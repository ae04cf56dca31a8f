"""Scores under a mask of ones, from a state of zeros, with a length for each row that is the greatest."""
import torch
import torch.nn as nn


ROWS = 64
COLS = 96


class Model(nn.Module):
    def forward(self, x, mask, state, lengths):
        there = torch.arange(x.shape[1], device=x.device)[None, :] < lengths[:, None]
        return torch.where(there, x * mask + state, torch.zeros_like(x))


def get_inputs():
    return [torch.randn(ROWS, COLS), torch.ones(ROWS, COLS), torch.zeros(ROWS, COLS), torch.full((ROWS,), COLS, dtype=torch.int64)]


def get_init_inputs():
    return []
