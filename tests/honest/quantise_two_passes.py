# task: quantise
# The largest magnitude in one kernel, codes in another; rounding to even by adding and subtracting 1.5 * 2^23.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scales(x, s, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    best = tl.zeros((BLOCK,), tl.float32)
    for begin in range(0, n, BLOCK):
        c = begin + tl.arange(0, BLOCK)
        best = tl.maximum(best, tl.abs(tl.load(x + row * n + c, mask=c < n, other=0.0)))
    tl.store(s + row, tl.div_rn(tl.max(best), 127.0))


@triton.jit
def codes(x, s, q, count, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.div_rn(tl.load(x + i, mask=i < count, other=0.0), tl.load(s + i // n, mask=i < count, other=1.0))
    v = (v + 12582912.0) - 12582912.0
    tl.store(q + i, tl.minimum(tl.maximum(v, -127.0), 127.0).to(tl.int8), mask=i < count)


class ModelNew(nn.Module):
    def forward(self, x):
        q = torch.empty_like(x, dtype=torch.int8)
        s = x.new_empty((x.shape[0], 1))
        scales[(x.shape[0],)](x, s, x.shape[1], BLOCK=128)
        codes[(triton.cdiv(x.numel(), 512),)](x, s, q, x.numel(), x.shape[1], BLOCK=512)
        return q, s
