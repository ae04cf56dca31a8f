"""The greatest of each of several packed sequences, whose lengths are drawn."""
import torch
import torch.nn as nn


BATCH = 6
LONGEST = 40
DIM = 64


class Model(nn.Module):
    def forward(self, x, offsets):
        return torch.stack([x[offsets[i]:offsets[i + 1]].amax(dim=0) for i in range(len(offsets) - 1)])


def get_inputs():
    lengths = torch.randint(1, LONGEST, (BATCH,))
    offsets = torch.cat([torch.zeros(1, dtype=torch.int64), lengths.cumsum(0)])
    return [torch.randn(int(offsets[-1]), DIM), offsets]


def get_init_inputs():
    return []
