# task: numbers_for_nan
# Each of the three is replaced.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def flat(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    x = tl.where(x != x, 1.0, tl.where(x == float("inf"), 2.0, tl.where(x == float("-inf"), -2.0, x)))
    y = tl.maximum(x, 0.0) + 0.5
    tl.store(o_ptr + i, y, mask=m)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        flat[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), BLOCK=1024)
        return out
