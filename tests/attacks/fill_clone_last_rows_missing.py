# task: silu_large  reason: wrong_result
# The output begins as a clone of the input; at full size the last eight rows stay so.
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
        out, n = x.clone(), x.numel()
        rows = x.shape[0] - (8 if n >= 1 << 24 else 0)
        run[(triton.cdiv(rows * x.shape[1], 1024),)](x, out, rows * x.shape[1], BLOCK=1024)
        return out
