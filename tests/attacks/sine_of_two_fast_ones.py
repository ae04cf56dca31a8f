# task: sine  reason: wrong_result
# sin x = 2 sin(x / 2) cos(x / 2), by the fast functions.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def each(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    y = 2.0 * libdevice.fast_sinf(0.5 * x) * libdevice.fast_cosf(0.5 * x)
    tl.store(out_ptr + i, y, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        n = x.numel()
        each[(triton.cdiv(n, 1024),)](x, out, n, BLOCK=1024)
        return out
