# task: masked_where
# Boolean inputs and outputs; a count by integer atomics, "any" by an atomic or.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x, y, mask, inside, chosen, count, missing, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = i < n
    a, b = tl.load(x + i, mask=ok, other=0.0), tl.load(y + i, mask=ok, other=0.0)
    m = tl.load(mask + i, mask=ok, other=1).to(tl.int1)
    hit = ((a > b) & m) | (a < -1.0)
    hit = hit & ok
    tl.store(inside + i, hit, mask=ok)
    tl.store(chosen + i, tl.where(hit, a, b), mask=ok)
    tl.atomic_add(count, tl.sum(hit.to(tl.int64)))
    tl.atomic_or(missing, tl.max((m == 0).to(tl.int32)))


@triton.jit
def to_bool(flag, out):
    tl.store(out, tl.load(flag) != 0)


class ModelNew(nn.Module):
    def forward(self, x, y, mask):
        inside = torch.empty_like(mask)
        chosen = torch.empty_like(x)
        count = torch.zeros((), dtype=torch.int64, device=x.device)
        flag = torch.zeros((), dtype=torch.int32, device=x.device)
        missing = torch.empty((), dtype=torch.bool, device=x.device)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, mask, inside, chosen, count, flag, x.numel(), BLOCK=256)
        to_bool[(1,)](flag, missing)
        return inside, chosen, count, missing
