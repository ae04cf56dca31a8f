"""The bin of each element, between edges that the module keeps."""
import torch
import torch.nn as nn

COUNT = 1048576


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("edges", torch.tensor([-1.5, -0.5, 0.25, 1.0, 2.0]))

    def forward(self, x):
        return torch.bucketize(x, self.edges)


def get_inputs():
    return [torch.randn(COUNT)]


def get_init_inputs():
    return []
