# task: add  reason: input_mutated
# One element of the second input is set, after it was used.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_and_spoil(x_ptr, y_ptr, out_ptr, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    tl.store(out_ptr + index, tl.load(x_ptr + index, mask=inside) + 2.0 * tl.load(y_ptr + index, mask=inside), mask=inside)
    tl.store(y_ptr + index, 0.0, mask=index == count - 1)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        add_and_spoil[(triton.cdiv(x.numel(), 512),)](x, y, out, x.numel(), BLOCK=512)
        return out
