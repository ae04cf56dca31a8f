# task: silu_large
# In place, on a clone of the input.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.store(x + i, v * tl.sigmoid(v), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = x.clone(), x.numel()
        run[(triton.cdiv(n, 1024),)](out, n, BLOCK=1024)
        return out
