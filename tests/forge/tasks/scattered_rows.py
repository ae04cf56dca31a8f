"""Rows summed by the segment that they belong to, and a few columns written over."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, segments):
        super().__init__()
        self.segments = segments

    def forward(self, x, segment, column):
        sums = x.new_zeros(self.segments, x.shape[1]).index_add_(0, segment, x * 2)
        marked = torch.tanh(x).scatter(1, column, -1.0)
        return sums, marked


def get_inputs():
    return [torch.randn(128, 96), torch.randint(0, 24, (128,)), torch.randint(0, 96, (128, 1))]


def get_init_inputs():
    return [24]
