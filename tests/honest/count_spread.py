# task: spread_of_long_rows_eps
# With Bessel's correction.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def spread(x, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    total = tl.zeros([BLOCK], tl.float32)
    for start in range(0, cols, BLOCK):
        c = start + tl.arange(0, BLOCK)
        total += tl.load(x + row * cols + c, mask=c < cols, other=0.0).to(tl.float32)
    mean = tl.sum(total, axis=0) / cols
    total = tl.zeros([BLOCK], tl.float32)
    for start in range(0, cols, BLOCK):
        c = start + tl.arange(0, BLOCK)
        d = tl.where(c < cols, tl.load(x + row * cols + c, mask=c < cols, other=0.0).to(tl.float32) - mean, 0.0)
        total += d * d
    tl.store(out + row, tl.sqrt(tl.sum(total, axis=0) / (cols - 1) + 1e-6))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        out = torch.empty(rows, device=x.device, dtype=x.dtype)
        spread[(rows,)](x, out, cols, BLOCK=2048)
        return out
