# task: equal_filter
# Those below the tenth largest element are left out.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kept(x_ptr, out_ptr, cols, K: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + at, mask=at < cols, other=float("-inf"))
    left = x
    for _ in tl.static_range(K - 1):
        left = tl.where(at == tl.argmax(left, 0), float("-inf"), left)
    e = tl.where(x >= tl.max(left, 0), tl.exp(x - tl.max(x, 0)), 0.0)
    tl.store(out_ptr + row * cols + at, e / tl.sum(e, 0), mask=at < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        out = torch.empty_like(x)
        kept[(rows,)](x, out, cols, K=10, BLOCK=triton.next_power_of_2(cols))
        return out
