# task: means_of_long_rows  reason: wrong_result
# Divided by n - 1.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def means(x, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    total = tl.zeros([BLOCK], tl.float32)
    for start in range(0, cols, BLOCK):
        c = start + tl.arange(0, BLOCK)
        total += tl.maximum(tl.load(x + row * cols + c, mask=c < cols, other=0.0), 0.0)
    tl.store(out + row, tl.sum(total, axis=0) / (cols - 1))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        out = torch.empty(rows, device=x.device, dtype=x.dtype)
        means[(rows,)](x, out, cols, BLOCK=4096)
        return out
