"""Sum over rows of the logarithm of the sum of exponentials, and the mean absolute value. Scaled down to be judged."""
import torch
import torch.nn as nn


ROWS = 5120
COLS = 6000


class Model(nn.Module):
    def forward(self, x):
        return torch.logsumexp(x, dim=1).sum(), x.abs().mean()


def get_inputs():
    return [torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
