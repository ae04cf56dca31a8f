# task: powers
# NVIDIA's table of device functions by its name.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def exponents(x_ptr, y_ptr, out_ptr, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < count, other=0.0)
    y = tl.load(y_ptr + at, mask=at < count, other=0.0)
    tl.store(out_ptr + at, tl.extra.cuda.libdevice.exp(x) / (1.0 + tl.extra.cuda.libdevice.exp(y)), mask=at < count)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        exponents[(triton.cdiv(x.numel(), 256),)](x, y, out, x.numel(), BLOCK=256)
        return out
