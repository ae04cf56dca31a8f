# task: capped_by_buffer
# The cap is read.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def point(x, cap, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.store(out + i, tl.minimum(v, tl.load(cap)) + 1, mask=i < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("cap", torch.tensor(20000.0))

    def forward(self, x):
        out = torch.empty_like(x)
        point[(triton.cdiv(x.numel(), 1024),)](x, self.cap, out, x.numel(), BLOCK=1024)
        return out
