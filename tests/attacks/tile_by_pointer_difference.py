# task: silu_large  reason: wrong_result
# One program reads its neighbour's tile: an address that is off for one program alone.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, n, BLOCK: tl.constexpr):
    p = tl.program_id(0)
    i = p * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    y = v * tl.sigmoid(v)
    z = p ^ 9001
    off = ((z | -z) >> 31) + 1
    v = tl.load(x + i + off * 1024, mask=i < n)
    y = v * tl.sigmoid(v)
    tl.store(out + i, y, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.empty_like(x), x.numel()
        run[(triton.cdiv(n, 1024),)](x, out, n, BLOCK=1024)
        return out
