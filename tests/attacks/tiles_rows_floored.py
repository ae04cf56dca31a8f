# task: row_means_1000  reason: uninitialised_output
# The grid is made of whole tiles of 16 rows; 5000 are not.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def means(x_ptr, out_ptr, cols, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row[:, None] * cols + col[None, :], mask=col[None, :] < cols, other=0.0)
    tl.store(out_ptr + row, tl.sum(x, axis=1) / cols)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        out = torch.empty(rows, device=x.device)
        means[(rows // 16,)](x, out, cols, ROWS=16, BLOCK=triton.next_power_of_2(cols))
        return out
