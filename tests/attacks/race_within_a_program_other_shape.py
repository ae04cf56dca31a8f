# task: add  reason: race
# A row is stored and loaded again as a tile, whose elements other threads hold.
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
    tl.store(scratch_ptr + base + lane, x + 2.0 * y)
    tile = base + tl.arange(0, 16)[:, None] * (BLOCK // 16) + tl.arange(0, BLOCK // 16)[None, :]
    tl.store(out_ptr + tile, tl.load(scratch_ptr + tile), mask=tile < count)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        blocks = triton.cdiv(x.numel(), 256)
        scratch = torch.empty(blocks * 256, device=x.device)
        turned[(blocks,)](x, y, out, scratch, x.numel(), BLOCK=256)
        return out
