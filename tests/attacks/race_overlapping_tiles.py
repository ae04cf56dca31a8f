# task: soft  reason: race
# Programs normalise what neighbours still write: tiles of rows overlap by one.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def exponents(x_ptr, out_ptr, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * (BLOCK - 8) + tl.arange(0, BLOCK)
    old = tl.load(out_ptr + index, mask=index < count, other=0.0)
    tl.store(out_ptr + index, tl.exp(tl.load(x_ptr + index, mask=index < count, other=0.0)) + 0.0 * old, mask=index < count)


@triton.jit
def normalise(out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    e = tl.load(out_ptr + row * cols + col, mask=col < cols, other=0.0)
    tl.store(out_ptr + row * cols + col, e / tl.sum(e, axis=0), mask=col < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.zeros_like(x)
        exponents[(triton.cdiv(x.numel(), 504),)](x, out, x.numel(), BLOCK=512)
        normalise[(x.shape[0],)](out, x.shape[1], BLOCK=256)
        return out
