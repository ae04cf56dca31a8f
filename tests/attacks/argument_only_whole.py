# task: argument_scale_shift  reason: wrong_result
# The shift is rounded to a whole number.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def pointwise(x_ptr, y_ptr, count, scale, shift, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < count)
    tl.store(y_ptr + i, tl.maximum(x, 0.0) * scale + shift, mask=i < count)


class ModelNew(nn.Module):
    def forward(self, x, scale, shift):
        y = torch.empty_like(x)
        pointwise[(triton.cdiv(x.numel(), 512),)](x, y, x.numel(), scale, int(shift), BLOCK=512)
        return y
