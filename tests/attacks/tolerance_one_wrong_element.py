# task: add  reason: wrong_result
# One element of five thousand is off.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, out_ptr, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    z = tl.load(x_ptr + index, mask=inside) + 2.0 * tl.load(y_ptr + index, mask=inside)
    tl.store(out_ptr + index, tl.where(index == 3111, z * 1.01, z), mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        add[(triton.cdiv(x.numel(), 512),)](x, y, out, x.numel(), BLOCK=512)
        return out
