# task: decaying_rows  reason: stale_pipelined_load
# The row before is loaded from the output, by a loop that is to be pipelined.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def decay(x_ptr, out_ptr, rows, cols, BLOCK: tl.constexpr):
    col = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + col, tl.load(x_ptr + col, mask=col < cols), mask=col < cols)
    for row in tl.range(1, rows, num_stages=3):
        before = tl.load(out_ptr + (row - 1) * cols + col, mask=col < cols)
        own = tl.load(x_ptr + row * cols + col, mask=col < cols)
        tl.store(out_ptr + row * cols + col, 0.5 * before + own, mask=col < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        decay[(triton.cdiv(x.shape[1], 256),)](x, out, x.shape[0], x.shape[1], BLOCK=256)
        return out
