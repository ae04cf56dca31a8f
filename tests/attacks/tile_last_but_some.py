# task: silu_large  reason: wrong_result
# At full size the last fifteen programs but the very last are wrong.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, n, BIG: tl.constexpr, BLOCK: tl.constexpr):
    p = tl.program_id(0)
    i = p * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    y = v * tl.sigmoid(v)
    if BIG:
        if (p >= tl.num_programs(0) - 16) & (p < tl.num_programs(0) - 1):
            y = v
    tl.store(out + i, y, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.empty_like(x), x.numel()
        run[(triton.cdiv(n, 1024),)](x, out, n, n >= 1 << 24, BLOCK=1024)
        return out
