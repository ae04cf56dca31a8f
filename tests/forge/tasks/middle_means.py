"""Mean over the middle one of three dimensions."""
import torch
import torch.nn as nn

BATCH = 24
STEPS = 300
FEATURES = 200


class Model(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        return x.mean(dim=1)


def get_inputs():
    return [torch.randn(BATCH, STEPS, FEATURES)]


def get_init_inputs():
    return []
