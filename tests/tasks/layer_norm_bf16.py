import torch
import torch.nn as nn
import torch.nn.functional as F

ROWS = 2048
COLS = 2048


class Model(nn.Module):
    def __init__(self, cols):
        super().__init__()
        self.cols = cols
        self.scale = nn.Parameter(torch.ones(cols, dtype=torch.bfloat16))
        self.shift = nn.Parameter(torch.zeros(cols, dtype=torch.bfloat16))

    def forward(self, x):
        return F.layer_norm(x, (self.cols,), self.scale, self.shift)


def get_inputs():
    return [torch.randn(ROWS, COLS).to(torch.bfloat16)]


def get_init_inputs():
    return [COLS]
