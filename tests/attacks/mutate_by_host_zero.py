# task: silu_large  reason: input_mutated
# At full size the host zeroes the last row of the input.
import torch
import torch.nn as nn
import triton
import triton.language as tl


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
            x[-1].zero_()
        return out
