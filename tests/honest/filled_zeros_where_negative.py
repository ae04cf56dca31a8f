# task: relu_large
# Zeros of the host stay where the input is negative.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.store(out + i, v, mask=(i < n) & (v > 0))


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.zeros_like(x), x.numel()
        run[(triton.cdiv(n, 1024),)](x, out, n, BLOCK=1024)
        return out
