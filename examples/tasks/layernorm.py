"""Layer normalisation with a learned scale and shift."""
import torch
import torch.nn as nn

BATCH = 16
SEQUENCE = 1024
FEATURES = 2048


class Model(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.norm = nn.LayerNorm(features)

    def forward(self, x):
        return self.norm(x)


def get_inputs():
    return [torch.randn(BATCH, SEQUENCE, FEATURES)]


def get_init_inputs():
    return [FEATURES]
