# task: add
# The factor travels as a float argument, a tensor of no dimensions, and a default.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def axpy(x_ptr, y_ptr, factor_ptr, out_ptr, count, one, BLOCK: tl.constexpr, HALF: tl.constexpr = 0.5):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    factor = tl.load(factor_ptr) * one * HALF * 2
    tl.store(out_ptr + index, tl.load(x_ptr + index, mask=inside) + factor * tl.load(y_ptr + index, mask=inside), mask=inside)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("factor", torch.tensor(2.0), persistent=False)

    def forward(self, x, y):
        out = torch.empty_like(x)
        axpy[(triton.cdiv(x.numel(), 512),)](x, y, self.factor, out, x.numel(), 1.0, BLOCK=512)
        return out
