# task: small_charbonnier
# With what makes it smooth.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def loss(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    sums = tl.zeros([BLOCK], tl.float32)
    for first in range(0, n, BLOCK):
        inside = first + at < n
        d = tl.load(x_ptr + first + at, mask=inside, other=0.0) - tl.load(y_ptr + first + at, mask=inside, other=0.0)
        sums += tl.where(inside, tl.sqrt(d * d + 1e-6), 0.0)
    tl.store(out_ptr, tl.sum(sums, 0) / n)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = x.new_empty(())
        loss[(1,)](x, y, out, x.numel(), BLOCK=1024)
        return out
