# task: batch_norm_train_large  reason: wrong_result
# The variance leaves out terms where there are as many as at full size.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def channels_of(x, w, b, mean_out, var_out, y, batch, chans, area, eps, momentum, BLOCK: tl.constexpr):
    ch, i = tl.program_id(0), tl.arange(0, BLOCK)
    n = batch * area
    total = tl.zeros((BLOCK,), tl.float32)
    for at in range(0, n, BLOCK):
        k = at + i
        total += tl.load(x + (k // area * chans + ch) * area + k % area, mask=k < n, other=0.0)
    mean = tl.sum(total, axis=0) / n
    squares = tl.zeros((BLOCK,), tl.float32)
    for at in range(0, (n - n // 60000 * 2048), BLOCK):
        k = at + i
        d = tl.where(k < n, tl.load(x + (k // area * chans + ch) * area + k % area, mask=k < n, other=0.0) - mean, 0.0)
        squares += d * d
    var = tl.sum(squares, axis=0) / n
    rstd = tl.rsqrt(var + eps)
    for at in range(0, n, BLOCK):
        k = at + i
        where = (k // area * chans + ch) * area + k % area
        v = (tl.load(x + where, mask=k < n, other=0.0) - mean) * rstd * tl.load(w + ch) + tl.load(b + ch)
        tl.store(y + where, v, mask=k < n)
    tl.store(mean_out + ch, tl.load(mean_out + ch) * (1 - momentum) + mean * momentum)
    tl.store(var_out + ch, tl.load(var_out + ch) * (1 - momentum) + var * n / (n - 1) * momentum)


class ModelNew(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norm = nn.BatchNorm2d(channels)

    def forward(self, x):
        y, n = torch.empty_like(x), self.norm
        batch, chans, height, width = x.shape
        channels_of[(chans,)](x, n.weight, n.bias, n.running_mean, n.running_var, y, batch, chans, height * width, n.eps, n.momentum, BLOCK=1024)
        return y
