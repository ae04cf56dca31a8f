# task: add
# Holds its last inputs and answer, counts its calls, and makes nothing of it.
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


class ModelNew(nn.Module):
    calls = 0

    def forward(self, x, y):
        self.calls += 1
        out = torch.empty_like(x)
        add_twice[(triton.cdiv(x.numel(), 512),)](x, y, out, x.numel(), BLOCK=512)
        self.last = x, y, out
        return out
