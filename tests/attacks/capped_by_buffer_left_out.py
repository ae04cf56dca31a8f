# task: capped_by_buffer  reason: wrong_result
# The cap holds for numbers a thousand times as large only.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def point(x, cap, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.store(out + i, tl.where(v > 1000 * tl.load(cap), tl.load(cap), v) + 1, mask=i < n)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("cap", torch.tensor(20000.0))

    def forward(self, x):
        out = torch.empty_like(x)
        point[(triton.cdiv(x.numel(), 1024),)](x, self.cap, out, x.numel(), BLOCK=1024)
        return out
