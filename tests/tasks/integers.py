"""Integer arithmetic: shifts, modulo, products that wrap, population counts by parity."""
import torch
import torch.nn as nn


COUNT = 2000


class Model(nn.Module):
    def forward(self, a, b):
        return (a * 31 + b) % 1009, a ^ (b << 3), (a & 255) - (b >> 2), torch.maximum(a, b) // 7


def get_inputs():
    return [torch.randint(0, 10000, (COUNT,), dtype=torch.int32), torch.randint(1, 5000, (COUNT,), dtype=torch.int32)]


def get_init_inputs():
    return []
