"""Rows of a table picked by index and summed with weights, and the raw rows."""
import torch
import torch.nn as nn


VOCABULARY = 300
DIM = 50
BAGS = 20
PER_BAG = 7


class Model(nn.Module):
    def __init__(self, vocabulary, dim):
        super().__init__()
        self.table = nn.Embedding(vocabulary, dim)

    def forward(self, index, weight):
        rows = self.table(index)
        return (rows * weight.unsqueeze(-1)).sum(1), rows


def get_inputs():
    return [torch.randint(0, VOCABULARY, (BAGS, PER_BAG)), torch.rand(BAGS, PER_BAG)]


def get_init_inputs():
    return [VOCABULARY, DIM]
