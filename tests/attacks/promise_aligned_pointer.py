# task: add  reason: false_promise
# A pointer one element off is promised to be aligned to 16 bytes, for wider loads.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, out_ptr, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    shifted = tl.multiple_of(x_ptr + 1, 16)
    x = tl.load(shifted + index - 1, mask=inside)
    tl.store(out_ptr + index, x + 2.0 * tl.load(y_ptr + index, mask=inside), mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        add[(triton.cdiv(x.numel(), 512),)](x, y, out, x.numel(), BLOCK=512)
        return out
