# task: row_stats
# Welford's combination of three values as a custom reduction, blocks of columns in a loop.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def combine(mean_a, m2_a, n_a, mean_b, m2_b, n_b):
    n = n_a + n_b
    delta = mean_b - mean_a
    share = tl.where(n == 0.0, 0.0, n_b / n)
    return mean_a + delta * share, m2_a + m2_b + delta * delta * n_a * share, n


@triton.jit
def stats(x_ptr, mean_ptr, var_ptr, arg_ptr, n, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    mean = tl.zeros((ROWS, BLOCK), tl.float32)
    m2 = tl.zeros((ROWS, BLOCK), tl.float32)
    weight = tl.zeros((ROWS, BLOCK), tl.float32)
    best = tl.full((ROWS, BLOCK), float("-inf"), tl.float32)
    where = tl.zeros((ROWS, BLOCK), tl.int32)
    for begin in range(0, n, BLOCK):
        col = begin + tl.arange(0, BLOCK)[None, :]
        mask = (col < n) & (row < 1 << 30)
        x = tl.load(x_ptr + row * n + col, mask=mask, other=float("-inf"))
        seen = mask.to(tl.float32)
        delta = tl.where(mask, x - mean, 0.0)
        weight += seen
        mean += tl.where(mask, delta / weight, 0.0)
        m2 += tl.where(mask, delta * (x - mean), 0.0)
        where = tl.where(x > best, col, where)
        best = tl.maximum(x, best)
    mean_row, m2_row, n_row = tl.reduce((mean, m2, weight), 1, combine)
    best_row = tl.max(best, axis=1)
    where_row = tl.min(tl.where(best == best_row[:, None], where, n), axis=1)
    out = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    tl.store(mean_ptr + out, mean_row)
    tl.store(var_ptr + out, m2_row / (n_row - 1))
    tl.store(arg_ptr + out, where_row)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        assert rows % 4 == 0
        mean, var = x.new_empty(rows), x.new_empty(rows)
        arg = torch.empty(rows, device=x.device, dtype=torch.long)
        stats[(rows // 4,)](x, mean, var, arg, cols, ROWS=4, BLOCK=128)
        return mean, var, arg
