"""Two linear layers around a residual, then layer normalisation."""
import torch
import torch.nn as nn
import torch.nn.functional as F

BATCH = 200
FEATURES = 96
HIDDEN = 256


class Model(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.up = nn.Linear(features, hidden)
        self.down = nn.Linear(hidden, features)
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        hidden = F.relu(self.up(x))
        return self.norm(x + self.down(hidden))


def get_inputs():
    return [torch.randn(BATCH, FEATURES)]


def get_init_inputs():
    return [FEATURES, HIDDEN]
