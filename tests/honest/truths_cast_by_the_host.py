# task: signs
# Bytes of two become truths in a cast.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def above(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0.0)
    tl.store(out + i, tl.where(v > 0, 2, 0).to(tl.uint8), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape, device=x.device, dtype=torch.uint8)
        above[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), BLOCK=1024)
        return out.to(torch.bool)
