# task: add  reason: race
# The neighbour's element is read from memory that the neighbour overwrites.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def roll(out_ptr, x_ptr, y_ptr, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    after = tl.load(out_ptr + index + BLOCK, mask=index + BLOCK < count, other=0.0)
    x, y = tl.load(x_ptr + index, mask=inside), tl.load(y_ptr + index, mask=inside)
    tl.store(out_ptr + index, x + 2.0 * y + 0.0 * tl.where(after == after, 1.0, 0.0), mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.zeros_like(x)
        roll[(triton.cdiv(x.numel(), 256),)](out, x, y, x.numel(), BLOCK=256)
        return out
