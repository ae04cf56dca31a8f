"""How many ones a mask has, and the elements over it."""
import torch
import torch.nn as nn


ROWS = 512
COLS = 200


class Model(nn.Module):
    def forward(self, x, mask):
        count = mask.sum(-1)
        return count, x / count.clamp(min=1)[:, None]


def get_inputs():
    return [torch.randn(ROWS, COLS), torch.randint(0, 2, (ROWS, COLS))]


def get_init_inputs():
    return []
