"""Of four inputs each says where it counts."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, y, z, w):
        return sum(torch.where(v == -1, 0, v) for v in (x, y, z, w))


def get_inputs():
    return [torch.randint(0, 100, (40, 200)), torch.randint(0, 100, (40, 200)), torch.randint(0, 100, (40, 200)), torch.randint(0, 100, (40, 200))]


def get_init_inputs():
    return []
