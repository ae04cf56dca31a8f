# task: integers_equal  reason: wrong_result
# Only the lower half is compared.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + i, mask=i < n)
    b = tl.load(y + i, mask=i < n)
    r = a.to(tl.int32) == b.to(tl.int32)
    tl.store(out + i, r, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out, n = torch.empty(x.shape, dtype=torch.bool, device=x.device), x.numel()
        run[(triton.cdiv(n, 1024),)](x, y, out, n, BLOCK=1024)
        return out
