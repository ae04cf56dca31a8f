"""ELU of numbers that are positive. Scaled down to be judged."""
import torch
import torch.nn as nn
import torch.nn.functional as F


R = 8192
C = 4096


class Model(nn.Module):
    def forward(self, x):
        return F.elu(x)


def get_inputs():
    return [torch.rand(R, C)]


def get_init_inputs():
    return []
