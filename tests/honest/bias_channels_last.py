# task: bias_channels
# Keeps the memory format: the channel is the index modulo the channels.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def affine_relu_nhwc(x_ptr, scale_ptr, shift_ptr, y_ptr, n, C, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    c = i % C
    y = tl.load(x_ptr + i, m) * tl.load(scale_ptr + c, m) + tl.load(shift_ptr + c, m)
    tl.store(y_ptr + i, tl.where(y > 0, y, 0.0), m)


class ModelNew(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(channels, 1, 1))
        self.shift = nn.Parameter(torch.zeros(channels, 1, 1))

    def forward(self, x):
        assert x.is_contiguous(memory_format=torch.channels_last)
        y = torch.empty_like(x)
        affine_relu_nhwc[(triton.cdiv(x.numel(), 512),)](x, self.scale, self.shift, y, x.numel(), x.shape[1], BLOCK=512)
        return y
