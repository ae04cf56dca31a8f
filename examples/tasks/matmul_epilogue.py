"""A linear layer, relu and a constant factor."""
import torch
import torch.nn as nn

BATCH = 4096
IN_FEATURES = 2048
OUT_FEATURES = 4096


class Model(nn.Module):
    def __init__(self, in_features, out_features, factor):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.factor = factor

    def forward(self, x):
        return torch.relu(self.linear(x)) * self.factor


def get_inputs():
    return [torch.randn(BATCH, IN_FEATURES)]


def get_init_inputs():
    return [IN_FEATURES, OUT_FEATURES, 0.75]
