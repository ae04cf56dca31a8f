# task: silu_large  reason: wrong_result
# One program is wrong; a function that is not inlined decides.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit(noinline=True)
def chosen(p):
    return p == 9001


@triton.jit
def run(x, out, n, BLOCK: tl.constexpr):
    p = tl.program_id(0)
    i = p * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    y = v * tl.sigmoid(v)
    y = tl.where(chosen(p), v, y)
    tl.store(out + i, y, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.empty_like(x), x.numel()
        run[(triton.cdiv(n, 1024),)](x, out, n, BLOCK=1024)
        return out
