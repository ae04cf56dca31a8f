"""A product with int8 weights that have one scale for each group of 128 inputs."""
import torch
import torch.nn as nn


ROWS = 384
IN = 2560
OUT = 1280
GROUP = 128


class Model(nn.Module):
    def forward(self, x, weight, scales):
        groups = weight.view(OUT, IN // GROUP, GROUP).float() * scales[:, :, None]
        return x @ groups.view(OUT, IN).t()


def get_inputs():
    return [torch.randn(ROWS, IN), torch.randint(-127, 128, (OUT, IN), dtype=torch.int8), torch.rand(OUT, IN // GROUP) * 0.01 + 0.01]


def get_init_inputs():
    return []
