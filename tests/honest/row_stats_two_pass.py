# task: row_stats
# One program per row; three outputs, one of them of 64-bit integers.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def stats(x_ptr, mean_ptr, var_ptr, arg_ptr, stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    mask = col < n
    x = tl.load(x_ptr + row * stride + col, mask=mask, other=0.0)
    mean = tl.sum(x, axis=0) / n
    d = tl.where(mask, x - mean, 0.0)
    tl.store(mean_ptr + row, mean)
    tl.store(var_ptr + row, tl.sum(d * d, axis=0) / (n - 1))
    tl.store(arg_ptr + row, tl.argmax(tl.where(mask, x, float("-inf")), axis=0).to(tl.int64))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        mean = torch.empty(rows, device=x.device, dtype=x.dtype)
        var = torch.empty_like(mean)
        arg = torch.empty(rows, device=x.device, dtype=torch.int64)
        stats[(rows,)](x, mean, var, arg, x.stride(0), cols, BLOCK=triton.next_power_of_2(cols))
        return mean, var, arg
