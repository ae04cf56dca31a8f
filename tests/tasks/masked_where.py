"""Boolean algebra of tensors: where, masks as outputs, counts."""
import torch
import torch.nn as nn


COUNT = 3000


class Model(nn.Module):
    def forward(self, x, y, mask):
        inside = (x > y) & mask | (x < -1)
        return inside, torch.where(inside, x, y), inside.sum(), (~mask).any()


def get_inputs():
    return [torch.randn(COUNT), torch.randn(COUNT), torch.rand(COUNT) > 0.3]


def get_init_inputs():
    return []
