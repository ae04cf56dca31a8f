"""A linear layer in half precision with exact GELU."""
import torch
import torch.nn as nn
import torch.nn.functional as F

BATCH = 300
IN_FEATURES = 520
OUT_FEATURES = 270


class Model(nn.Module):
    def __init__(self, in_features, out_features):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features).half()

    def forward(self, x):
        return F.gelu(self.linear(x))


def get_inputs():
    return [torch.randn(BATCH, IN_FEATURES).half()]


def get_init_inputs():
    return [IN_FEATURES, OUT_FEATURES]
