# task: soft
# float64 in registers, float32 in memory.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x, y, n, BLOCK: tl.constexpr):
    row, c = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * n + c, mask=c < n, other=float("-inf")).to(tl.float64)
    e = tl.exp(v - tl.max(v, 0))
    tl.store(y + row * n + c, (e / tl.sum(e, 0)).to(tl.float32), mask=c < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.size(), device=x.device)
        kernel[(len(x),)](x, y, x.size(-1), 256)
        return y
