"""How many numbers are above a bound: more than float32 counts one by one. Scaled down to be judged."""
import torch
import torch.nn as nn


COUNT = 20000000


class Model(nn.Module):
    def forward(self, x):
        return (x > 0.05).sum()


def get_inputs():
    return [torch.rand(COUNT)]


def get_init_inputs():
    return []
