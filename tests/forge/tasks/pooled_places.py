import torch
import torch.nn as nn


class Model(nn.Module):
    """Max pooling that says where its elements were, and averages of windows that reach over the edge."""

    def __init__(self):
        super().__init__()
        self.pool = nn.MaxPool2d((3, 2), stride=(2, 3), padding=(1, 0), dilation=(1, 2), return_indices=True)
        self.mean = nn.AvgPool2d(3, stride=2, padding=1, ceil_mode=True, count_include_pad=False)

    def forward(self, x):
        pooled, places = self.pool(x)
        return pooled, places, self.mean(x)


batch, channels, height, width = 2, 6, 30, 41


def get_inputs():
    return [torch.randn(batch, channels, height, width)]


def get_init_inputs():
    return []
