# task: log_partition_large
# Four rows a program, added up by atomics.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def parts(x_ptr, sums, sizes, rows, n, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    r = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    top = tl.full((ROWS,), -1e30, tl.float32)
    total, size = tl.zeros((ROWS,), tl.float32), tl.zeros((ROWS,), tl.float32)
    for begin in range(0, n, BLOCK):
        c = begin + tl.arange(0, BLOCK)
        inside = (r < rows)[:, None] & (c < n)[None, :]
        x = tl.load(x_ptr + r.to(tl.int64)[:, None] * n + c[None, :], mask=inside, other=0.0)
        size += tl.sum(tl.abs(x), axis=1)
        seen = tl.where(inside, x, -1e30)
        higher = tl.maximum(top, tl.max(seen, axis=1))
        total = total * tl.exp(top - higher) + tl.sum(tl.where(inside, tl.exp(x - higher[:, None]), 0.0), axis=1)
        top = higher
    lse = tl.where(r < rows, top + tl.log(total), 0.0)
    tl.atomic_add(sums, tl.sum(lse))
    tl.atomic_add(sizes, tl.sum(size) / (rows * 1.0) / n)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        sums, sizes = x.new_zeros(()), x.new_zeros(())
        parts[(triton.cdiv(rows, 4),)](x, sums, sizes, rows, n, 4, 512)
        return sums, sizes
