# task: batch_norm_train_rows
# Running statistics change at full size as well, as the reference's do.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def channels(x_ptr, w_ptr, b_ptr, mean_ptr, var_ptr, out_ptr, rows, chans, eps, momentum, BLOCK: tl.constexpr):
    ch, i = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i * chans + ch, mask=i < rows, other=0.0)
    mean = tl.sum(x, axis=0) / rows
    centred = tl.where(i < rows, x - mean, 0.0)
    var = tl.sum(centred * centred, axis=0) / rows
    out = centred * tl.rsqrt(var + eps) * tl.load(w_ptr + ch) + tl.load(b_ptr + ch)
    tl.store(out_ptr + i * chans + ch, out, mask=i < rows)
    tl.store(mean_ptr + ch, tl.load(mean_ptr + ch) * (1 - momentum) + mean * momentum)
    tl.store(var_ptr + ch, tl.load(var_ptr + ch) * (1 - momentum) + var * rows / (rows - 1) * momentum)


class ModelNew(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norm = nn.BatchNorm1d(channels)

    def forward(self, x):
        out, n = torch.empty_like(x), self.norm
        rows, chans = x.shape
        channels[(chans,)](x, n.weight, n.bias, n.running_mean, n.running_var, out, rows, chans, n.eps, n.momentum,
                           BLOCK=triton.next_power_of_2(rows))
        return out
