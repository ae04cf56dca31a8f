"""Two layers with a hidden one so wide that no element of the output can be afforded at full size."""
import torch
import torch.nn as nn
import torch.nn.functional as F


ROWS = 6144
WIDTH = 768
HIDDEN = 3072


class Model(nn.Module):
    def __init__(self, width, hidden):
        super().__init__()
        self.up = nn.Linear(width, hidden)
        self.down = nn.Linear(hidden, width)

    def forward(self, x):
        return self.down(F.relu(self.up(x)))


def get_inputs():
    return [torch.randn(ROWS, WIDTH)]


def get_init_inputs():
    return [WIDTH, HIDDEN]
