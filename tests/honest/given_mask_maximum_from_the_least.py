# task: given_mask_maximum
# Begins with the number that the task gives masked steps.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def largest(x, mask, out, steps, COLS: tl.constexpr):
    batch = tl.program_id(0)
    c = tl.arange(0, COLS)
    best = tl.full([COLS], -1e30, tl.float32)
    for t in range(steps):
        v = tl.load(x + (batch * steps + t) * COLS + c)
        valid = tl.load(mask + batch * steps + t)
        best = tl.where(valid, tl.maximum(best, v), best)
    tl.store(out + batch * COLS + c, best)


class ModelNew(nn.Module):
    def forward(self, x, mask):
        batch, steps, cols = x.shape
        out = torch.empty(batch, cols, device=x.device)
        largest[(batch,)](x, mask, out, steps, COLS=cols)
        return out
