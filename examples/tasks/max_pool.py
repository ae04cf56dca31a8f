"""Max pooling over windows of 3 by 3, stride 2, as in the stem of a residual network."""
import torch
import torch.nn as nn

BATCH = 32
CHANNELS = 64
HEIGHT = 112
WIDTH = 112


class Model(nn.Module):
    def __init__(self, kernel_size, stride, padding):
        super().__init__()
        self.pool = nn.MaxPool2d(kernel_size, stride=stride, padding=padding)

    def forward(self, x):
        return self.pool(x)


def get_inputs():
    return [torch.randn(BATCH, CHANNELS, HEIGHT, WIDTH)]


def get_init_inputs():
    return [3, 2, 1]
