# task: integers_of_all
# Adds sums of blocks in 64 bits.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, sum_ptr, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < count, other=0)
    tl.atomic_add(sum_ptr, tl.sum(x, axis=0).to(tl.int64))


@triton.jit
def widen(sum_ptr, out_ptr):
    tl.store(out_ptr, tl.load(sum_ptr).to(tl.int64))


class ModelNew(nn.Module):
    def forward(self, x):
        s = torch.zeros((), device=x.device, dtype=torch.int64)
        out = torch.empty((), device=x.device, dtype=torch.int64)
        add[(triton.cdiv(x.numel(), 4096),)](x, s, x.numel(), BLOCK=4096)
        widen[(1,)](s, out)
        return out
