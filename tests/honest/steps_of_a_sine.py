# task: steps_large
# Floors of a function whose last digits are not those of the reference: near ties may differ.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    y = tl.sin(tl.load(x + i, mask=i < n))
    tl.store(out + i, tl.floor(y * 100.0).to(tl.int32), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.empty(x.shape, dtype=torch.int32, device=x.device), x.numel()
        run[(triton.cdiv(n, 1024),)](x, out, n, BLOCK=1024)
        return out
