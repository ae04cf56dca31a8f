# task: running_sums_f32
# Carried from block to block.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows(x, y, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    carried = 0.0
    for c0 in range(0, cols, BLOCK):
        c = c0 + tl.arange(0, BLOCK)
        v = tl.load(x + row * cols + c, mask=c < cols, other=0.0)
        tl.store(y + row * cols + c, tl.cumsum(v, axis=0) + carried, mask=c < cols)
        carried = carried + tl.sum(v, axis=0)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        rows[(x.shape[0],)](x, y, x.shape[1], BLOCK=128)
        return y
