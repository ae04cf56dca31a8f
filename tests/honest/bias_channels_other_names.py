# task: bias_channels
# Parameters under other names, flat, in the order of the reference's; four dimensions by strides.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x, g, b, y, C, H, W, sxb, sxc, sxh, sxw, syb, syc, syh, syw, BW: tl.constexpr):
    h, c, n = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    w = tl.arange(0, BW)
    v = tl.load(x + n * sxb + c * sxc + h * sxh + w * sxw, mask=w < W, other=0.0)
    v = v * tl.load(g + c) + tl.load(b + c)
    tl.store(y + n * syb + c * syc + h * syh + w * syw, tl.maximum(v, 0), mask=w < W)


class ModelNew(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(channels, 1, 1))
        self.beta = nn.Parameter(torch.zeros(channels, 1, 1))

    def forward(self, x):
        n, c, h, w = x.shape
        y = torch.empty_like(x, memory_format=torch.contiguous_format)
        kernel[(h, c, n)](x, self.gamma, self.beta, y, c, h, w, *x.stride(), *y.stride(), BW=triton.next_power_of_2(w))
        return y
