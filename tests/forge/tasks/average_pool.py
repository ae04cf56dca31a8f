"""Mean of windows of three by three without padding."""
import torch
import torch.nn as nn

BATCH = 8
CHANNELS = 24
HEIGHT = 48
WIDTH = 72


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.pool = nn.AvgPool2d(3)

    def forward(self, x):
        return self.pool(x)


def get_inputs():
    return [torch.randn(BATCH, CHANNELS, HEIGHT, WIDTH)]


def get_init_inputs():
    return []
