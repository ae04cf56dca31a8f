# task: length_of_two
# Relative to the larger one: no square is too small.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    y = tl.load(y_ptr + i, mask=i < n)
    most = tl.maximum(tl.abs(x), tl.abs(y))
    least = tl.minimum(tl.abs(x), tl.abs(y))
    share = least / tl.where(most == 0, 1.0, most)
    tl.store(out_ptr + i, most * tl.sqrt(1 + share * share), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        kernel[(triton.cdiv(out.numel(), 1024),)](x, y, out, out.numel(), BLOCK=1024)
        return out
