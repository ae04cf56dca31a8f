# task: packed_least
# The least of rows of packed keys.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows(a_ptr, b_ptr, out_ptr, COLS: tl.constexpr):
    row, j = tl.program_id(0), tl.arange(0, COLS)
    a, b = tl.load(a_ptr + row * COLS + j), tl.load(b_ptr + row * COLS + j)
    y = tl.min((a << 40) | b)
    tl.store(out_ptr + row, y)


class ModelNew(nn.Module):
    def forward(self, a, b):
        out = torch.empty_like(a[:, 0])
        rows[(a.shape[0],)](a, b, out, COLS=a.shape[1])
        return out
