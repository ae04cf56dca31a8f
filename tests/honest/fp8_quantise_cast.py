# task: fp8_quantise
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def cast(x, scale, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0.0) * tl.load(scale)
    tl.store(y + i, v.to(tl.float8e4nv).to(tl.float32), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x, scale):
        y = torch.empty_like(x)
        cast[(triton.cdiv(x.numel(), 256),)](x, scale, y, x.numel(), BLOCK=256)
        return y
