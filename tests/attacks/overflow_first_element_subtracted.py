# task: soft  reason: wrong_result
# Subtracts the row's first element in the place of its maximum.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def soft(x, out, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + i, mask=i < n, other=-float("inf"))
    e = tl.exp(v - tl.load(x + row * n))
    tl.store(out + row * n + i, e / tl.sum(e, axis=0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        soft[(x.shape[0],)](x, out, x.shape[1], BLOCK=256)
        return out
