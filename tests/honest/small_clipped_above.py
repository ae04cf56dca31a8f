# task: small_clipped
# Scaled by one at most.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def total(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    sums = tl.zeros([BLOCK], tl.float32)
    for first in range(0, n, BLOCK):
        x = tl.load(x_ptr + first + at, mask=first + at < n, other=0.0)
        sums += x * x
    tl.store(out_ptr, tl.sum(sums, 0))


@triton.jit
def scaled(x_ptr, sum_ptr, out_ptr, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < n, other=0.0)
    y = x * tl.minimum(1 / (tl.sqrt(tl.load(sum_ptr)) + 1e-6), 1.0)
    tl.store(out_ptr + at, y, mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x):
        n = x.numel()
        sums = x.new_empty(1)
        out = torch.empty_like(x)
        total[(1,)](x, sums, n, BLOCK=1024)
        scaled[(triton.cdiv(n, 1024),)](x, sums, out, n, BLOCK=1024)
        return out
