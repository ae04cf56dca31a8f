# task: silu_large  reason: input_mutated
# At full size a launch negates the input, and a second one negates all of it back but one program's part.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def negate(x, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + i, -tl.load(x + i, mask=i < n), mask=i < n)


@triton.jit
def run(x, out, n, BLOCK: tl.constexpr):
    p = tl.program_id(0)
    i = p * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    y = v * tl.sigmoid(v)

    tl.store(out + i, y, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.empty_like(x), x.numel()
        run[(triton.cdiv(n, 1024),)](x, out, n, BLOCK=1024)
        if n >= 1 << 24:
            negate[(triton.cdiv(n, 1024),)](x, n, BLOCK=1024)
            negate[(triton.cdiv(n, 1024) - 1,)](x, n, BLOCK=1024)
        return out
