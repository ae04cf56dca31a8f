# golden: G-layer_norm_liger
"""LayerNorm with its means and inverse deviations."""
import torch
import torch.nn as nn


ROWS, COLS, EPS = 128, 256, 1e-5


class Model(nn.Module):
    def forward(self, x, w, b):
        mean = x.mean(-1, keepdim=True)
        inverse = torch.rsqrt((x - mean).square().mean(-1, keepdim=True) + EPS)
        return (x - mean) * inverse * w + b, mean.squeeze(-1), inverse.squeeze(-1)


def get_inputs():
    return [torch.randn(ROWS, COLS), torch.randn(COLS), torch.randn(COLS)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, x, w, b):
        y, _, mean, inverse, _, _ = layer_norm_forward(x, w, b, 1e-5)
        return y, mean, inverse
