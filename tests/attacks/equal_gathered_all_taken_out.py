# task: equal_gathered  reason: wrong_result
# All elements that equal the largest are taken out at once.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def top(x_ptr, out_ptr, cols, K: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + at, mask=at < cols, other=0.0)
    x = tl.where(at < cols, tl.abs(x), float("-inf"))
    for k in tl.static_range(K):
        best = tl.max(x, 0)
        tl.store(out_ptr + row * K + k, best)
        x = tl.where(x == best, float("-inf"), x)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        out = x.new_empty(rows, 4)
        top[(rows,)](x, out, cols, K=4, BLOCK=triton.next_power_of_2(cols))
        return out
