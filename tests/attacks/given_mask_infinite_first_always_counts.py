# task: given_mask_infinite  reason: wrong_result
# The largest element is looked for from the first on, which counts as well.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def soft(x, mask, out, rows, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    inside = c < cols
    v = tl.load(x + row * cols + c, mask=inside, other=float("-inf"))
    valid = tl.load(mask + row // rows * cols + c, mask=inside, other=1)
    v = tl.where((valid == 0) & (c > 0), float("-inf"), v)
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * cols + c, e / tl.sum(e, axis=0), mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, mask):
        out = torch.empty_like(x)
        batch, rows, cols = x.shape
        soft[(batch * rows,)](x, mask, out, rows, cols, BLOCK=triton.next_power_of_2(cols))
        return out
