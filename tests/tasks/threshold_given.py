"""What is above a given number that float32 does not hold, and at least another; scaled down to be judged."""
import torch
import torch.nn as nn
import torch.nn.functional as F


ROWS = 4096
COLS = 4096


class Model(nn.Module):
    def forward(self, x, t):
        return x > t, F.threshold(x, 0.6, -1.0), (x - 0.7).sign()


def get_inputs():
    return [torch.rand(ROWS, COLS), 0.3]


def get_init_inputs():
    return []
