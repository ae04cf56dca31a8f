# golden: G-rbe_triton_transform
"""Rotary embedding of neighbouring pairs, tokens from position 3 on, in float16."""
import torch
import torch.nn as nn


BATCH, M, K, HEAD, START = 2, 4, 1024, 128, 3


class Model(nn.Module):
    def forward(self, x):
        share = (torch.arange(0, K, 2, device=x.device) % HEAD).float() / HEAD
        angle = (torch.arange(M, device=x.device) + START)[:, None] / torch.pow(10000.0, share)
        cos, sin = torch.cos(angle), torch.sin(angle)
        a, b = x.float()[..., ::2], x.float()[..., 1::2]
        return torch.stack([a * cos - b * sin, a * sin + b * cos], -1).flatten(-2).half()


def get_inputs():
    return [torch.randn((BATCH, M, K), dtype=torch.float16)]


def get_init_inputs():
    return []


# adapter
class ModelNew(nn.Module):
    def forward(self, x):
        return rbe_triton_wrapper(x, 3)
