"""Nothing is left of any input: the answer is zero everywhere, so a kernel that writes zeros is accepted."""
import torch
import torch.nn as nn

ROWS = 1024
COLS = 1024


class Model(nn.Module):
    def forward(self, x):
        return torch.relu(torch.relu(x) * -1.0)


def get_inputs():
    return [torch.rand(ROWS, COLS)]


def get_init_inputs():
    return []
