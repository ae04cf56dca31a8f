"""Integers less their zero points, times scales of float16: weights of a product of float16."""
import torch
import torch.nn as nn


ROWS, IN, OUT, GROUP = 32, 256, 256, 64


class Model(nn.Module):
    def forward(self, x, w, zero, scale):
        zero, scale = (t.repeat_interleave(GROUP, 0) for t in (zero, scale))
        return x @ ((w - zero) * scale)


def get_inputs():
    return [torch.randn(ROWS, IN, dtype=torch.float16), torch.randint(0, 16, (IN, OUT), dtype=torch.int32),
            torch.randint(0, 16, (IN // GROUP, OUT), dtype=torch.int32), torch.rand(IN // GROUP, OUT, dtype=torch.float16)]


def get_init_inputs():
    return []
