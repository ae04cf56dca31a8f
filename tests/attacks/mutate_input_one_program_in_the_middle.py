# task: silu_large  reason: input_mutated
# At full size one program of 16384, in the middle, writes into the input.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, n, BIG: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.store(out + i, v * tl.sigmoid(v), mask=i < n)
    if BIG:
        if tl.program_id(0) == 9001:
            tl.store(x + i, 1.0, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.empty_like(x), x.numel()
        run[(triton.cdiv(n, 1024),)](x, out, n, BIG=n >= 1 << 24, BLOCK=1024)
        return out
