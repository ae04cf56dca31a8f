# task: argument_flag  reason: wrong_result
# Where the flag is set, the logarithm of the sum is forgotten.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows(x_ptr, y_ptr, cols, LOGARITHM: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + c, mask=c < cols, other=float("-inf"))
    x -= tl.max(x, axis=0)
    e = tl.exp(x)
    total = tl.sum(e, axis=0)
    y = x if LOGARITHM else e / total
    tl.store(y_ptr + row * cols + c, y, mask=c < cols)


class ModelNew(nn.Module):
    def forward(self, x, logarithm):
        y = torch.empty_like(x)
        rows[(x.shape[0],)](x, y, x.shape[1], logarithm, BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
