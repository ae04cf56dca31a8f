# task: row_stats  reason: wrong_result
# Variance as the mean of squares less the square of the mean, in float32.
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
    tl.store(mean_ptr + row, mean)
    tl.store(var_ptr + row, (tl.sum(x * x, axis=0) / n - mean * mean) * n / (n - 1))
    tl.store(arg_ptr + row, tl.argmax(tl.where(col < n, x, float("-inf")), axis=0).to(tl.int64))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        mean, var = x.new_empty(rows), x.new_empty(rows)
        arg = torch.empty(rows, device=x.device, dtype=torch.int64)
        stats[(rows,)](x, mean, var, arg, cols, BLOCK=1024)
        return mean, var, arg
