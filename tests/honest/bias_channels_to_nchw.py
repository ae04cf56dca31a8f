# task: bias_channels
# Answers in another memory format: a copy to NCHW first, then one program per plane.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def affine_relu_plane(x, scale, shift, y, channels, size, BLOCK: tl.constexpr):
    plane = tl.program_id(0)
    a = tl.load(scale + plane % channels)
    b = tl.load(shift + plane % channels)
    for begin in range(0, size, BLOCK):
        i = begin + tl.arange(0, BLOCK)
        value = tl.load(x + plane * size + i, mask=i < size, other=0.0)
        tl.store(y + plane * size + i, tl.maximum(tl.fma(value, a, b), 0.0), mask=i < size)


class ModelNew(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(channels, 1, 1))
        self.shift = nn.Parameter(torch.zeros(channels, 1, 1))

    def forward(self, x):
        x = x.contiguous()
        b, c, h, w = x.shape
        y = torch.empty(b, c, h, w, device=x.device)
        affine_relu_plane[(b * c,)](x, self.scale, self.shift, y, c, h * w, BLOCK=256)
        return y
