# task: twice_row_repeated  reason: wrong_result
# The first row in the place of each.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + 0 * row + at, mask=at < cols, other=0.0)
    tl.store(out_ptr + row * cols + at, x * x + x, mask=at < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        rows[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
