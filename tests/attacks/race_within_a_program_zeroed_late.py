# task: add  reason: race
# Memory is zeroed by one lane and added to by another, with no barrier between.
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
    back = base + BLOCK - 1 - lane
    tl.store(scratch_ptr + base + lane, tl.zeros((BLOCK,), tl.float32))
    tl.atomic_add(scratch_ptr + back, tl.load(x_ptr + back, mask=back < count, other=0.0))
    tl.debug_barrier()
    tl.store(out_ptr + base + lane, tl.load(scratch_ptr + base + lane) + 2.0 * y, mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        blocks = triton.cdiv(x.numel(), 256)
        scratch = torch.empty(blocks * 256, device=x.device)
        turned[(blocks,)](x, y, out, scratch, x.numel(), BLOCK=256)
        return out
