# task: given_scale_maximum
# Products are compared.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def largest(x, scale, out, steps, COLS: tl.constexpr):
    batch = tl.program_id(0)
    c = tl.arange(0, COLS)
    s = tl.load(scale + c)
    best = tl.full([COLS], float("-inf"), tl.float32)
    for t in range(steps):
        best = tl.maximum(best, tl.load(x + (batch * steps + t) * COLS + c) * s)
    tl.store(out + batch * COLS + c, best)


class ModelNew(nn.Module):
    def forward(self, x, scale):
        batch, steps, cols = x.shape
        out = torch.empty(batch, cols, device=x.device)
        largest[(batch,)](x, scale, out, steps, COLS=cols)
        return out
