# task: columns_summed  reason: wrong_result
# The last row of a thousand is left out.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def columns(x, y, rows, cols, BLOCK: tl.constexpr):
    c = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for r in range(0, rows - 1):
        total += tl.load(x + r * cols + c, mask=c < cols, other=0.0)
    tl.store(y + c, total, mask=c < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape[1], device=x.device)
        columns[(triton.cdiv(x.shape[1], 32),)](x, y, x.shape[0], x.shape[1], BLOCK=32)
        return y
