# golden: G-rms_norm_triton
"""RMSNorm of rows."""
import torch
import torch.nn as nn


BATCH, FEATURES = 32, 128


class Model(nn.Module):
    def forward(self, x, weight):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-5) * weight


def get_inputs():
    return [torch.randn(BATCH, FEATURES), torch.randn(FEATURES)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, x, weight):
        return rms_norm(x, (x.shape[-1],), weight, 1e-5)
