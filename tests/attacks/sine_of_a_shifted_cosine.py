# task: sine  reason: wrong_result
# sin x = cos(x - pi / 2), by the fast function.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def each(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    y = libdevice.fast_cosf(x - 1.5707963267948966)
    tl.store(out_ptr + i, y, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        n = x.numel()
        each[(triton.cdiv(n, 1024),)](x, out, n, BLOCK=1024)
        return out
