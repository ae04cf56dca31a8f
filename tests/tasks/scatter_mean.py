"""Rows added into segments by index, and how many each segment got."""
import torch
import torch.nn as nn


ROWS = 211
DIM = 24
SEGMENTS = 16


class Model(nn.Module):
    def forward(self, x, index):
        total = torch.zeros(SEGMENTS, x.shape[1], device=x.device).index_add_(0, index, x)
        count = torch.zeros(SEGMENTS, dtype=torch.int32, device=x.device).index_add_(0, index, torch.ones_like(index, dtype=torch.int32))
        return total, count


def get_inputs():
    return [torch.randn(ROWS, DIM), torch.randint(0, SEGMENTS, (ROWS,))]


def get_init_inputs():
    return []
