import torch
import triton
import triton.language as tl


@triton.jit
def offset(i, by):
    return tl.load(by + i)  # <- out_of_bounds


@triton.jit
def shifted(x, by, out, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i) + offset(i, by))


def shift(x, by):
    out = torch.empty_like(x)
    shifted[(1,)](x, by, out, BLOCK=x.numel())  # <- launched
    return out
