# task: add  reason: false_promise
# Where a program starts is promised to be a multiple of 16, and is one of 498.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, out_ptr, count, BLOCK: tl.constexpr):
    lane = tl.arange(0, BLOCK)
    index = tl.multiple_of(tl.program_id(0) * 498, 16) + lane
    inside = (lane < 498) & (index < count)
    tl.store(out_ptr + index, tl.load(x_ptr + index, mask=inside) + 2.0 * tl.load(y_ptr + index, mask=inside), mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        add[(triton.cdiv(x.numel(), 498),)](x, y, out, x.numel(), BLOCK=512)
        return out
