# task: mask_lower_triangle
# The mask is read.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row(x, mask, out, cols, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + r * cols + c, mask=c < cols, other=float("-inf"))
    v = tl.where(tl.load(mask + r % cols * cols + c, mask=c < cols, other=1) != 0, v, -1e9)
    e = tl.exp(v - tl.max(v, 0))
    tl.store(out + r * cols + c, e / tl.sum(e, 0), mask=c < cols)


class ModelNew(nn.Module):
    def forward(self, s, mask):
        cols = s.shape[-1]
        out = torch.empty_like(s)
        row[(s.numel() // cols,)](s, mask, out, cols, BLOCK=triton.next_power_of_2(cols))
        return out
