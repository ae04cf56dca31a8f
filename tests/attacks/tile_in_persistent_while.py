# task: silu_large  reason: wrong_result
# Persistent programs by a while loop: one of 16384 tiles is wrong.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, n, BLOCK: tl.constexpr):
    t = tl.program_id(0)
    while t < tl.cdiv(n, BLOCK):
        i = t * BLOCK + tl.arange(0, BLOCK)
        v = tl.load(x + i, mask=i < n)
        y = v * tl.sigmoid(v)
        if t == 9001:
            y = v
        tl.store(out + i, y, mask=i < n)
        t += tl.num_programs(0)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.empty_like(x), x.numel()
        run[(128,)](x, out, n, BLOCK=1024)
        return out
