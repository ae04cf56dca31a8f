# task: scale_python
# Both numbers are arguments.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, alpha, beta, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n)
    tl.store(out + i, tl.maximum(v, 0.0) * alpha + beta, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x, alpha, beta):
        out = torch.empty_like(x)
        run[(triton.cdiv(x.numel(), 1024),)](x, out, alpha, beta, x.numel(), BLOCK=1024)
        return out
