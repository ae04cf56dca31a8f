# task: add
# Lanes exchange values through memory, with a barrier between the store and the load.
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
    tl.debug_barrier()
    back = base + BLOCK - 1 - lane
    tl.store(out_ptr + back, tl.load(scratch_ptr + back), mask=back < count)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        blocks = triton.cdiv(x.numel(), 256)
        scratch = torch.empty(blocks * 256, device=x.device)
        turned[(blocks,)](x, y, out, scratch, x.numel(), BLOCK=256)
        return out
