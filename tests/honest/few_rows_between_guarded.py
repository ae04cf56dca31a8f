# task: few_rows_between
# The guard as it is.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    h = tl.full([BLOCK], float('-inf'), tl.float32)
    g = tl.full([BLOCK], float('inf'), tl.float32)
    for start in range(0, cols, BLOCK):
        c = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * cols + c, mask=c < cols, other=0.0)
        h = tl.maximum(h, tl.where(c < cols, v, float('-inf')))
        g = tl.minimum(g, tl.where(c < cols, v, float('inf')))
    low = tl.min(g)
    k = tl.max(h) - low + 1e-8
    for start in range(0, cols, BLOCK):
        c = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * cols + c, mask=c < cols, other=0.0)
        tl.store(out + row * cols + c, (v - low) / k, mask=c < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        out, lines = torch.empty_like(x), x.shape[0]
        run[(lines,)](x, out, x.numel() // lines, BLOCK=2048)
        return out
