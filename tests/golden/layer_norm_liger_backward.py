# golden: G-layer_norm_liger  reason: host_compute
# The gradients of weight and bias are partial sums of each multiprocessor, added up by PyTorch.
"""The gradients of LayerNorm."""
import torch
import torch.nn as nn


ROWS, COLS, EPS = 128, 256, 1e-5


class Model(nn.Module):
    def forward(self, x, w, b, dy):
        centred = x - x.mean(-1, keepdim=True)
        inverse = torch.rsqrt(centred.square().mean(-1, keepdim=True) + EPS)
        normed, scaled = centred * inverse, dy * w
        dx = (scaled - scaled.mean(-1, keepdim=True) - normed * (scaled * normed).mean(-1, keepdim=True)) * inverse
        return dx, (dy * normed).sum(0), dy.sum(0)


def get_inputs():
    return [torch.randn(ROWS, COLS), torch.randn(COLS), torch.randn(COLS), torch.randn(ROWS, COLS)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, x, w, b, dy):
        _, x, mean, inverse, _, _ = layer_norm_forward(x, w, b, 1e-5)
        return layer_norm_backward(dy, x, w, b, mean, inverse)
