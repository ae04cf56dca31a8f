# task: sentinels_of_four  reason: wrong_result
# The fourth is not asked.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, y, z, w, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + i, mask=i < n)
    b = tl.load(y + i, mask=i < n)
    c = tl.load(z + i, mask=i < n)
    d = tl.load(w + i, mask=i < n)
    r = tl.where(a == -1, 0, a) + tl.where(b == -1, 0, b) + tl.where(c == -1, 0, c) + d
    tl.store(out + i, r, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x, y, z, w):
        out, n = torch.empty_like(x), x.numel()
        run[(triton.cdiv(n, 1024),)](x, y, z, w, out, n, BLOCK=1024)
        return out
