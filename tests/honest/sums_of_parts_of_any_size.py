# task: sums_of_parts
# Sizes are read.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, out_ptr, first, second, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * columns + c, mask=c < columns, other=0)
    weight = tl.where(c < first, 1.0, tl.where(c < first + second, 2.0, 3.0))
    tl.store(out_ptr + row, tl.sum(x * weight))


class ModelNew(nn.Module):
    def forward(self, x, sizes):
        rows, columns = x.shape
        out = torch.empty(rows, device=x.device)
        kernel[(rows,)](x, out, sizes[0], sizes[1], columns, BLOCK=triton.next_power_of_2(columns))
        return out
