# task: count_far  reason: wrong_result|nondeterministic
# The count of all is in float32, which holds no odd numbers beyond 2^24.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def count(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    above = tl.load(x + i, mask=i < n, other=0.0) > 0.05
    tl.atomic_add(out, tl.sum(above.to(tl.float32)))


@triton.jit
def whole(count, out):
    tl.store(out, tl.load(count).to(tl.int64))


class ModelNew(nn.Module):
    def forward(self, x):
        n = x.numel()
        total, out = torch.zeros((), device=x.device), torch.empty((), dtype=torch.int64, device=x.device)
        count[(triton.cdiv(n, 65536),)](x, total, n, BLOCK=65536)
        whole[(1,)](total, out)
        return out
