# task: soft  reason: input_mutated
# Leaves the exponentials in the input on the way to a right answer.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def exponent(x_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + col, mask=col < cols, other=float("-inf"))
    tl.store(x_ptr + row * cols + col, tl.exp(x - tl.max(x, axis=0)), mask=col < cols)


@triton.jit
def normalise(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + col, mask=col < cols, other=0.0)
    tl.store(out_ptr + row * cols + col, x / tl.sum(x, axis=0), mask=col < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        exponent[(x.shape[0],)](x, x.shape[1], BLOCK=256)
        normalise[(x.shape[0],)](x, out, x.shape[1], BLOCK=256)
        return out
