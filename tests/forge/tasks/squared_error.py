"""Mean squared error over all elements."""
import torch
import torch.nn as nn
import torch.nn.functional as F

ROWS = 300
COLS = 600


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x, y):
        return F.mse_loss(x, y)


def get_inputs():
    return [torch.randn(ROWS, COLS), torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []
