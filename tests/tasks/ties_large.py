"""The first of the largest numbers of each row, of which there are many. Scaled down to be judged."""
import torch
import torch.nn as nn


ROWS = 4096
COLS = 4096


class Model(nn.Module):
    def forward(self, x):
        return torch.argmax(x, dim=1)


def get_inputs():
    return [torch.randint(0, 50, (ROWS, COLS)).float()]


def get_init_inputs():
    return []
