# task: centred_large  reason: input_mutated
# At full size the second input takes the result as well.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, y, out, n, BIG: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.abs(tl.load(x + i, mask=i < n)) + tl.load(y + i, mask=i < n).to(tl.float32)
    tl.store(out + i, v, mask=i < n)
    if BIG:
        tl.store(y + i, v.to(tl.bfloat16), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out, n = torch.empty_like(x), x.numel()
        run[(triton.cdiv(n, 1024),)](x, y, out, n, BIG=n >= 1 << 24, BLOCK=1024)
        return out
