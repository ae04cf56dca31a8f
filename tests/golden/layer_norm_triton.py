# golden: G-layer_norm_triton
# Its test sums the output: the gradient is one element, expanded, which the kernel reads as if it were a matrix. Here it is one.
"""LayerNorm and its gradients; those of weight and bias are added up under locks."""
import torch
import torch.nn as nn


BATCH, FEATURES, EPS = 32, 512, 1e-5


class Model(nn.Module):
    def forward(self, x, weight, bias, dy):
        centred = x - x.mean(-1, keepdim=True)
        inverse = torch.rsqrt(centred.square().mean(-1, keepdim=True) + EPS)
        normed, scaled = centred * inverse, dy * weight
        dx = (scaled - scaled.mean(-1, keepdim=True) - normed * (scaled * normed).mean(-1, keepdim=True)) * inverse
        return normed * weight + bias, dx, (dy * normed).sum(0), dy.sum(0)


def get_inputs():
    return [torch.randn(BATCH, FEATURES), torch.ones(FEATURES), torch.zeros(FEATURES), torch.randn(BATCH, FEATURES)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, x, weight, bias, dy):
        with torch.enable_grad():
            x, weight, bias = (t.detach().requires_grad_() for t in (x, weight, bias))
            y = layer_norm(x, (x.shape[-1],), weight, bias, 1e-5)
            return y, *torch.autograd.grad(y, (x, weight, bias), dy)
