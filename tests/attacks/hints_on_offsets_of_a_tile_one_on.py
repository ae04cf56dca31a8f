# task: odd_rows  reason: false_promise
# Offsets are promised to begin at multiples of four elements; they begin one further on.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def double(x_ptr, y_ptr, rows, cols, R: tl.constexpr, C: tl.constexpr):
    row = tl.program_id(0) * R + tl.arange(0, R)
    col = tl.program_id(1) * C + tl.arange(0, C)
    at = row[:, None] * cols + col[None, :]
    inside = (row[:, None] < rows) & (col[None, :] < cols)
    source = x_ptr - 1 + tl.multiple_of(at + 1, (1, 4))
    tl.store(y_ptr + at, 2.0 * tl.load(source, mask=inside), mask=inside)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        double[(triton.cdiv(x.shape[0], 8), triton.cdiv(x.shape[1], 64))](x, y, x.shape[0], x.shape[1], R=8, C=64)
        return y
