"""Hard swish of inputs that are computed from draws in three steps. Scaled down to be judged."""
import torch
import torch.nn as nn


ROWS = 4096
COLS = 8192


class Model(nn.Module):
    def forward(self, x):
        return torch.nn.functional.hardswish(x)


def get_inputs():
    return [torch.rand(ROWS, COLS).mul(10).sub(5).to(torch.float16)]


def get_init_inputs():
    return []
