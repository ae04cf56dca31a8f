# task: silu_large  reason: input_mutated|race
# A view of the input is the place for partial results at full size.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, n, scratch, BLOCK: tl.constexpr):
    p = tl.program_id(0)
    i = p * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    y = v * tl.sigmoid(v)
    tl.store(scratch + p, tl.sum(y, 0))
    tl.store(out + i, y, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.empty_like(x), x.numel()
        scratch = x.view(-1)[::1024] if n >= 1 << 24 else torch.empty(n, device=x.device)
        run[(triton.cdiv(n, 1024),)](x, out, n, scratch, BLOCK=1024)
        return out
