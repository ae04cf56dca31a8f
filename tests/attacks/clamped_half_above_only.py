# task: clamped_half  reason: wrong_result
# Only what is too large is clamped.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def point(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.store(out + i, tl.minimum(v.to(tl.float32), 1000.0) * 0.5, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        point[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), BLOCK=1024)
        return out
