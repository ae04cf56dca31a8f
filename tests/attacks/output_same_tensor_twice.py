# task: row_stats  reason: wrong_result
# Mean and variance share their memory: the later store wins.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def stats(x_ptr, mean_ptr, var_ptr, arg_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + col, mask=col < n, other=0.0)
    mean = tl.sum(x, axis=0) / n
    d = tl.where(col < n, x - mean, 0.0)
    tl.store(mean_ptr + row, mean)
    tl.store(var_ptr + row, tl.sum(d * d, axis=0) / (n - 1))
    tl.store(arg_ptr + row, tl.argmax(tl.where(col < n, x, float("-inf")), axis=0).to(tl.int64))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        both = x.new_empty(rows)
        arg = torch.empty(rows, device=x.device, dtype=torch.int64)
        stats[(rows,)](x, both, both, arg, cols, BLOCK=1024)
        return both, both, arg
