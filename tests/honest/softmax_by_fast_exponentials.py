# task: softmax_rows
# The fast exponential, whose error is that of tl.exp, and a fast division.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def soft(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row, j = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + j, mask=j < cols, other=float("-inf"))
    e = libdevice.fast_expf(x - tl.max(x, axis=0))
    y = libdevice.fast_dividef(e, tl.broadcast_to(tl.sum(e, axis=0), [BLOCK]))
    tl.store(out_ptr + row * cols + j, y, mask=j < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        out = torch.empty_like(x)
        soft[(rows,)](x, out, cols, BLOCK=triton.next_power_of_2(cols))
        return out
