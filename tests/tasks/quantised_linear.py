"""A linear layer whose weights are integers with a scale and a zero point for each output, all of them module buffers."""
import torch
import torch.nn as nn


ROWS = 48
IN = 96
OUT = 72


class Model(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.register_buffer("qweight", torch.randint(-127, 128, (outer, inner), dtype=torch.int8))
        self.register_buffer("zeros", torch.randint(-8, 8, (outer, 1), dtype=torch.int32))
        self.register_buffer("scales", torch.rand(outer, 1) * 0.01 + 0.001)

    def forward(self, x):
        weight = (self.qweight.float() - self.zeros.float()) * self.scales
        return x @ weight.t()


def get_inputs():
    return [torch.randn(ROWS, IN)]


def get_init_inputs():
    return [IN, OUT]
