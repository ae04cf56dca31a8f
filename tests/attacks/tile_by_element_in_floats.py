# task: silu_large  reason: wrong_result
# Four elements of sixteen million are wrong: a comparison of positions as floats.
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
    f = i.to(tl.float32)
    y = tl.where((f > 9216000.0) & (f < 9216005.0), v, y)
    tl.store(out + i, y, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.empty_like(x), x.numel()
        run[(triton.cdiv(n, 1024),)](x, out, n, BLOCK=1024)
        return out
