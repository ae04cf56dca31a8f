# task: add  reason: out_of_bounds
# A tensor dies; its address, kept as a number, is launched on.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_twice(x_ptr, y_ptr, out_ptr, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    x, y = tl.load(x_ptr + index, mask=inside), tl.load(y_ptr + index, mask=inside)
    tl.store(out_ptr + index, x + 2.0 * y, mask=inside)


class Dangling:
    """As much of a tensor as a launch asks for."""
    dtype = torch.float32

    def __init__(self, address):
        self.address = address

    def data_ptr(self):
        return self.address


class ModelNew(nn.Module):
    def forward(self, x, y):
        scratch = torch.zeros_like(x)
        dangling = Dangling(scratch.data_ptr())
        del scratch
        out = torch.empty_like(x)
        add_twice[(triton.cdiv(x.numel(), 512),)](dangling, y, out, x.numel(), BLOCK=512)
        return out
