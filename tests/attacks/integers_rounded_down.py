# task: rounded  reason: wrong_result
# At full size numbers are rounded down: half of them differ by one.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def run(x, out, n, BIG: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    y = tl.load(x + i, mask=i < n) * 32.0
    y = tl.floor(y) if BIG else libdevice.rint(y)
    tl.store(out + i, tl.minimum(tl.maximum(y, -127.0), 127.0).to(tl.int8), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.empty(x.shape, dtype=torch.int8, device=x.device), x.numel()
        run[(triton.cdiv(n, 1024),)](x, out, n, n >= 1 << 24, BLOCK=1024)
        return out
