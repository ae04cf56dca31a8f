# task: sentinels_of_two
# Both are asked.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + i, mask=i < n)
    b = tl.load(y + i, mask=i < n)
    r = tl.where((a == -1) & (b == -1), 0, 2 * a + b)
    tl.store(out + i, r, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out, n = torch.empty_like(x), x.numel()
        run[(triton.cdiv(n, 1024),)](x, y, out, n, BLOCK=1024)
        return out
