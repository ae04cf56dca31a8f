"""A robust distance of each element."""
import torch
import torch.nn as nn
import torch.nn.functional as F


BATCH = 512
ROWS = 512
COLS = 512


class Model(nn.Module):
    def forward(self, x, target):
        return F.huber_loss(x, target, reduction="none")


def get_inputs():
    return [torch.randn(BATCH, ROWS, COLS), torch.randn(BATCH, ROWS, COLS)]


def get_init_inputs():
    return []
