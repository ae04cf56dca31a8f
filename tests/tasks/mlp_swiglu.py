"""A SwiGLU feed-forward block: down(silu(gate(x)) * up(x))."""
import torch
import torch.nn as nn
import torch.nn.functional as F


TOKENS = 60
HIDDEN = 64
INNER = 100


class Model(nn.Module):
    def __init__(self, hidden, inner):
        super().__init__()
        self.gate = nn.Linear(hidden, inner, bias=False)
        self.up = nn.Linear(hidden, inner, bias=False)
        self.down = nn.Linear(inner, hidden, bias=False)

    def forward(self, x):
        return self.down(F.silu(self.gate(x)) * self.up(x))


def get_inputs():
    return [torch.randn(2, TOKENS, HIDDEN)]


def get_init_inputs():
    return [HIDDEN, INNER]
