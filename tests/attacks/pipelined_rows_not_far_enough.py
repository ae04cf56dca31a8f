# task: decaying_rows  reason: stale_pipelined_load
# Two parts a row, loaded three rounds early.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def decay(x_ptr, out_ptr, rows, cols, PARTS: tl.constexpr, BLOCK: tl.constexpr):
    part = tl.arange(0, BLOCK)
    for step in tl.range(rows * PARTS, num_stages=4):
        row, col = step // PARTS, step % PARTS * BLOCK + part
        before = tl.load(out_ptr + (row - 1) * cols + col, mask=(row > 0) & (col < cols), other=0.0)
        own = tl.load(x_ptr + row * cols + col, mask=col < cols)
        tl.store(out_ptr + row * cols + col, 0.5 * before + own, mask=col < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        decay[(1,)](x, out, x.shape[0], x.shape[1], PARTS=2, BLOCK=256)
        return out
