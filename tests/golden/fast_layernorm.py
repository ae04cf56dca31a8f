# golden: G-fast_layernorm
"""LayerNorm and the gradient of its input."""
import torch
import torch.nn as nn


BATCH, FEATURES, EPS = 4, 8, 1e-5


class Model(nn.Module):
    def __init__(self, features, eps):
        super().__init__()
        self.norm = nn.LayerNorm(features, eps=eps)

    def forward(self, x, dy):
        centred = x - x.mean(-1, keepdim=True)
        inverse = torch.rsqrt(centred.square().mean(-1, keepdim=True) + self.norm.eps)
        normed, dy = centred * inverse, dy * self.norm.weight
        dx = (dy - dy.mean(-1, keepdim=True) - normed * (dy * normed).mean(-1, keepdim=True)) * inverse
        return normed * self.norm.weight + self.norm.bias, dx


def get_inputs():
    return [torch.randn(BATCH, FEATURES), torch.randn(BATCH, FEATURES)]


def get_init_inputs():
    return [FEATURES, EPS]


# adapter
class ModelNew(nn.Module):
    """The golden backward pass writes over the gradient that it is given: it gets a copy."""

    def __init__(self, features, eps):
        super().__init__()
        self.norm = nn.LayerNorm(features, eps=eps)

    def forward(self, x, dy):
        with torch.enable_grad():
            x = x.detach().requires_grad_()
            y = fast_layernorm(self.norm, x)
            dx, = torch.autograd.grad(y, x, dy.clone())
        return y, dx
