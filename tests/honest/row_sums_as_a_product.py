# task: row_sums
# Sums by tensor cores: the rows times a block of ones, in three TF32 products.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sums(x_ptr, out_ptr, rows, cols, BR: tl.constexpr, BC: tl.constexpr):
    r = tl.program_id(0) * BR + tl.arange(0, BR)
    total = tl.zeros((BR, 16), tl.float32)
    ones = tl.full((BC, 16), 1.0, tl.float32)
    for begin in range(0, cols, BC):
        c = begin + tl.arange(0, BC)
        x = tl.load(x_ptr + r.to(tl.int64)[:, None] * cols + c[None, :], mask=(r[:, None] < rows) & (c[None, :] < cols), other=0.0)
        total = tl.dot(x, ones, total, input_precision="tf32x3")
    tl.store(out_ptr + r, tl.max(total, axis=1), mask=r < rows)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[:1], device=x.device, dtype=x.dtype)
        sums[(triton.cdiv(x.shape[0], 16),)](x, out, *x.shape, BR=16, BC=64, num_warps=1)
        return out
