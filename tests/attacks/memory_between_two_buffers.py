# task: add  reason: out_of_bounds
# Reaches the second input through the first one's pointer: the distance of their addresses is passed as a number.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, out_ptr, distance, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    y = tl.load(x_ptr + distance + index, mask=inside)
    tl.store(out_ptr + index, tl.load(x_ptr + index, mask=inside) + 2.0 * y, mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        add[(triton.cdiv(x.numel(), 512),)](x, out, (y.data_ptr() - x.data_ptr()) // 4, x.numel(), BLOCK=512)
        return out
