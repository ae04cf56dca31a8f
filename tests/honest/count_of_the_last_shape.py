# task: relu_large
# The number of elements is kept: of the same shape it is the same.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def activate(x_ptr, out_ptr, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < count, other=0.0)
    tl.store(out_ptr + at, tl.maximum(x, 0.0), mask=at < count)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.key = self.kept = None

    def forward(self, x):
        if self.key == x.shape:
            assert self.kept == x.numel()
        self.key = x.shape
        out = torch.empty_like(x)
        activate[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), BLOCK=1024)
        self.kept = x.numel()
        return out
