"""Average pooling with padding that is not counted, maximum pooling with indices, and the global mean."""
import torch
import torch.nn as nn
import torch.nn.functional as F


BATCH = 2
CHANNELS = 6
SIZE = 21


class Model(nn.Module):
    def forward(self, x):
        average = F.avg_pool2d(x, 3, stride=2, padding=1, count_include_pad=False)
        largest, where = F.max_pool2d(x, 2, return_indices=True)
        return average, largest, where, x.mean(dim=(2, 3))


def get_inputs():
    return [torch.randn(BATCH, CHANNELS, SIZE, SIZE)]


def get_init_inputs():
    return []
