# task: batch_norm_train  reason: wrong_result
# The root of the variance is kept up.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def channels(x, w, b, mean_out, var_out, y, batch, chans, area, eps, momentum, BLOCK: tl.constexpr):
    ch = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    n = batch * area
    at = (i // area * chans + ch) * area + i % area
    v = tl.load(x + at, mask=i < n, other=0.0)
    mean = tl.sum(v, axis=0) / n
    centred = tl.where(i < n, v - mean, 0.0)
    var = tl.sum(centred * centred, axis=0) / n
    out = centred * tl.rsqrt(var + eps) * tl.load(w + ch) + tl.load(b + ch)
    tl.store(y + at, out, mask=i < n)
    tl.store(mean_out + ch, tl.load(mean_out + ch) * (1 - momentum) + mean * momentum)
    tl.store(var_out + ch, tl.load(var_out + ch) * (1 - momentum) + tl.sqrt(var * n / (n - 1)) * momentum)


class ModelNew(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x):
        y = torch.empty_like(x)
        batch, chans, height, width = x.shape
        n = self.norm
        channels[(chans,)](x, n.weight, n.bias, n.running_mean, n.running_var, y, batch, chans, height * width, n.eps, n.momentum,
                           BLOCK=triton.next_power_of_2(batch * height * width))
        return y
