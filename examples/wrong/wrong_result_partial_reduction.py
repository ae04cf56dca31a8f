# task: row_reduction  reason: wrong_result
# Leaves the last sixty-fourth of every row out: a small error beside the spread of the sums.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def row_sum(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    total = tl.zeros([BLOCK], dtype=tl.float32)
    for begin in range(0, cols, BLOCK):
        col = begin + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + row * cols + col, mask=col < cols - cols // 64, other=0.0)
    tl.store(out_ptr + row, tl.sum(total, axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        row_sum[(x.shape[0],)](x, out, x.shape[1], BLOCK=512)
        return out
