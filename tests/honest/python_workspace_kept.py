# task: softmax_rows
# Maxima lie in memory that the first call makes; every call writes them anew, and its answer into new memory.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def maxima(x_ptr, top_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + c, mask=c < cols, other=float("-inf"))
    tl.store(top_ptr + row, tl.max(x, axis=0))


@triton.jit
def shares(x_ptr, top_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + c, mask=c < cols, other=float("-inf"))
    e = tl.exp(x - tl.load(top_ptr + row))
    tl.store(out_ptr + row * cols + c, e / tl.sum(e, axis=0), mask=c < cols)


class ModelNew(nn.Module):
    top = None

    def forward(self, x):
        rows, cols = x.shape
        block = triton.next_power_of_2(cols)
        if self.top is None:
            self.top = torch.empty(rows, device=x.device)
        maxima[(rows,)](x, self.top, cols, BLOCK=block)
        out = torch.empty_like(x)
        shares[(rows,)](x, self.top, out, cols, BLOCK=block)
        return out
