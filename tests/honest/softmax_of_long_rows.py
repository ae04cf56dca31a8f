# task: softmax_large
# One row in a program.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows(x, out, n, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * n + i, mask=i < n, other=float("-inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(out + row * n + i, e / tl.sum(e, axis=0), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.empty_like(x), x.shape[1]
        rows[(x.shape[0],)](x, out, n, BLOCK=triton.next_power_of_2(n))
        return out
