# task: bce_of_sigmoid  reason: wrong_result
# Logarithms of zero, where scores are large.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + i, mask=i < n)
    b = tl.load(y + i, mask=i < n)
    p = 1 / (1 + tl.exp(-a))
    r = -b * tl.log(p) - (1 - b) * tl.log(1 - p)
    tl.store(out + i, r, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out, n = torch.empty_like(x), x.numel()
        run[(triton.cdiv(n, 1024),)](x, y, out, n, BLOCK=1024)
        return out
