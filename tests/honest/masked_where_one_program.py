# task: masked_where
# One program goes over all: logical_and and logical_or, bytes through a view as uint8.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x, y, mask, inside, chosen, count, missing, n, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), tl.int64)
    absent = tl.zeros((BLOCK,), tl.int32)
    for k in range(0, n, BLOCK):
        i = k + tl.arange(0, BLOCK)
        ok = i < n
        a, b = tl.load(x + i, mask=ok, other=0.0), tl.load(y + i, mask=ok, other=0.0)
        m = tl.load(mask + i, mask=ok, other=1) != 0
        hit = (a > b).logical_and(m).logical_or(a < -1.0).logical_and(ok)
        tl.store(inside + i, hit.to(tl.uint8), mask=ok)
        tl.store(chosen + i, tl.where(hit, a, b), mask=ok)
        total += hit
        absent |= (~m).to(tl.int32)
    tl.store(count, tl.sum(total))
    tl.store(missing, (tl.max(absent) > 0).to(tl.uint8))


class ModelNew(nn.Module):
    def forward(self, x, y, mask):
        inside = torch.empty(x.shape, dtype=torch.uint8, device=x.device)
        missing = torch.empty((), dtype=torch.uint8, device=x.device)
        chosen, count = torch.empty_like(x), torch.empty((), dtype=torch.long, device=x.device)
        kernel[(1,)](x, y, mask.view(torch.uint8), inside, chosen, count, missing, x.numel(), BLOCK=1024, num_warps=8)
        return inside.view(torch.bool), chosen, count, missing.view(torch.bool)
