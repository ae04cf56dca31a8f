# task: gated_sums
# Scratch memory is made for the first call, and anew for a larger one.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sums(x, total, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    tl.store(total + row, tl.sum(tl.load(x + row * cols + c, mask=c < cols, other=0.0), axis=0))


@triton.jit
def gates(x, total, y, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    at = row * cols + c
    v = tl.load(x + at, mask=c < cols, other=0.0)
    tl.store(y + at, tl.sigmoid(v) * tl.load(total + row), mask=c < cols)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.total = None

    def forward(self, x):
        rows, cols = x.shape
        if self.total is None or self.total.numel() < rows:
            self.total = torch.empty(rows, device=x.device)
        y = torch.empty_like(x)
        block = triton.next_power_of_2(cols)
        sums[(rows,)](x, self.total, cols, BLOCK=block)
        gates[(rows,)](x, self.total, y, cols, BLOCK=block)
        return y
