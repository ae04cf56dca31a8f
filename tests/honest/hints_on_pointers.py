# task: odd_rows
# Pointers of a row are promised in bytes: rows begin at multiples of sixteen.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def double(x_ptr, y_ptr, cols, BLOCK: tl.constexpr):
    row, col = tl.program_id(0), tl.arange(0, BLOCK)
    source, target = x_ptr + row * cols + col, y_ptr + row * cols + col
    source = tl.max_contiguous(tl.multiple_of(source, 16), 16)
    target = tl.multiple_of(target, [16])
    tl.store(target, 2.0 * tl.load(source, mask=col < cols), mask=col < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        double[(x.shape[0],)](x, y, x.shape[1], BLOCK=128)
        return y
