"""The gate of a SwiGLU block in half precision."""
import torch
import torch.nn as nn
import torch.nn.functional as F


ROWS = 300
COLS = 1000


class Model(nn.Module):
    def forward(self, gate, up):
        return F.silu(gate) * up


def get_inputs():
    return [torch.randn(ROWS, COLS, dtype=torch.float16) for _ in range(2)]


def get_init_inputs():
    return []
