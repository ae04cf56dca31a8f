# task: silu_large  reason: wrong_result
# At full size one program too few, over an output of zeros.
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
        out, n = torch.zeros_like(x), x.numel()
        run[(triton.cdiv(n, 1024) - (1 if n >= 1 << 24 else 0),)](x, out, n, BLOCK=1024)
        return out
