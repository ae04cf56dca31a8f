"""The logits of a row that are among its eight largest."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        least = torch.topk(x, 8).values[:, -1:]
        return torch.where(x < least, float("-inf"), x)


def get_inputs():
    return [torch.randn(60, 200)]


def get_init_inputs():
    return []
