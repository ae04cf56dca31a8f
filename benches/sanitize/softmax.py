"""Rows of 1024 elements, one a program."""
import os

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_row(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + column, mask=column < columns, other=float("-inf"))
    exponent = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * columns + column, exponent / tl.sum(exponent, axis=0), mask=column < columns)


x = torch.rand(8192, 1000, device=os.environ["DEVICE"])
out = torch.empty_like(x)
softmax_row[(8192,)](x, out, 1000, BLOCK=1024)
assert torch.allclose(out, x.softmax(1), atol=1e-6)
