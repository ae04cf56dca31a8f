# golden: G-layernorm_fwd_triton
"""LayerNorm of each head with weights of its own, without bias."""
import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x, w):
        centred = x - x.mean(-1, keepdim=True)
        return centred * torch.rsqrt(centred.square().mean(-1, keepdim=True) + 1e-5) * w


def get_inputs():
    return [torch.randn(2, 3, 256), torch.randn(3, 256)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, x, w):
        return layernorm_forward(x, w, 1e-5)
