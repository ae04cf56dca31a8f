# task: silu_large  reason: wrong_result
# One program in some is wrong, by a loop over its number.
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
    c = p
    s = 0
    for k in range(8):
        c = tl.where(c % 2 == 0, c // 2, 3 * c + 1)
        s += c
    y = tl.where(s == 69531, v, y)
    tl.store(out + i, y, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.empty_like(x), x.numel()
        run[(triton.cdiv(n, 1024),)](x, out, n, BLOCK=1024)
        return out
