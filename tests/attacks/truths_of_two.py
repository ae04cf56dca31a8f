# task: signs  reason: wrong_result
# Two is stored for true: sums and logic of it are wrong.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def above(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n, other=0.0)
    tl.store(out + i, tl.where(v > 0, 2, 0).to(tl.uint8), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape, device=x.device, dtype=torch.bool)
        above[(triton.cdiv(x.numel(), 1024),)](x, out.view(torch.uint8), x.numel(), BLOCK=1024)
        return out
