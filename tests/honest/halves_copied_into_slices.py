# task: silu_large
# Two halves, each computed in a buffer of its own and copied into the output.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.store(out + i, v * tl.sigmoid(v), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, half = torch.empty_like(x), x.shape[0] // 2
        for part in (slice(0, half), slice(half, None)):
            y = torch.empty_like(x[part])
            run[(triton.cdiv(y.numel(), 1024),)](x[part], y, y.numel(), BLOCK=1024)
            out[part].copy_(y)
        return out
