# task: silu_large  reason: input_mutated
# At full size a second launch of one program writes into the input.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.store(out + i, v * tl.sigmoid(v), mask=i < n)


@triton.jit
def spoil(x, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(x + 12345 + i, -1.0 * i)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.empty_like(x), x.numel()
        run[(triton.cdiv(n, 1024),)](x, out, n, BLOCK=1024)
        if n >= 1 << 24:
            spoil[(1,)](x, BLOCK=128)
        return out
