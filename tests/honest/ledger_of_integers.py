# task: ledger
# A scan of integers.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows(x_ptr, out_ptr, COLS: tl.constexpr):
    row, j = tl.program_id(0), tl.arange(0, COLS)
    x = tl.load(x_ptr + row * COLS + j)
    y = tl.cumsum(x, 0)
    tl.store(out_ptr + row * COLS + j, y)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        rows[(x.shape[0],)](x, out, COLS=x.shape[1])
        return out
