"""The mean of every row in half precision, of a matrix that is scaled down to be judged."""
import torch
import torch.nn as nn


ROWS = 1024
COLS = 65536


class Model(nn.Module):
    def forward(self, x):
        return x.mean(dim=1)


def get_inputs():
    return [torch.rand(ROWS, COLS, dtype=torch.float16)]


def get_init_inputs():
    return []
