# task: add  reason: race
# The lanes beyond the end store other values at the last element, and one must happen to be the last.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def turned(x_ptr, y_ptr, out_ptr, scratch_ptr, count, BLOCK: tl.constexpr):
    lane = tl.arange(0, BLOCK)
    base = tl.program_id(0) * BLOCK
    inside = base + lane < count
    x, y = tl.load(x_ptr + base + lane, mask=inside, other=0.0), tl.load(y_ptr + base + lane, mask=inside, other=0.0)
    value = tl.where((base + lane < count - 1) | (lane == BLOCK - 1), x + 2.0 * y, 0.0)
    last = tl.load(x_ptr + count - 1) + 2.0 * tl.load(y_ptr + count - 1)
    value = tl.where(base + lane >= count - 1, tl.where(lane == BLOCK - 1, last, 0.0), value)
    tl.store(out_ptr + tl.minimum(base + lane, count - 1), value)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        blocks = triton.cdiv(x.numel(), 256)
        scratch = torch.empty(blocks * 256, device=x.device)
        turned[(blocks,)](x, y, out, scratch, x.numel(), BLOCK=256)
        return out
