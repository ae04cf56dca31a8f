# task: divergence_large
# A whole row at once, added up by atomics.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def divergences(x_ptr, y_ptr, out_ptr, n, rows, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + c, mask=c < n, other=float("-inf"))
    y = tl.load(y_ptr + row * n + c, mask=c < n, other=float("-inf"))
    x_top, y_top = tl.max(x, axis=0), tl.max(y, axis=0)
    x_log = x - x_top - tl.log(tl.sum(tl.exp(x - x_top), axis=0))
    y_log = y - y_top - tl.log(tl.sum(tl.exp(y - y_top), axis=0))
    part = tl.sum(tl.where(c < n, tl.exp(y_log) * (y_log - x_log), 0.0), axis=0)
    tl.atomic_add(out_ptr, part / rows)


class ModelNew(nn.Module):
    def forward(self, x, y):
        rows, n = x.shape
        out = x.new_zeros(())
        divergences[(rows,)](x, y, out, n, rows, triton.next_power_of_2(n))
        return out
