# task: wide_shift
# For its own size alone, and right.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows(x_ptr, factor_ptr, state_ptr, out_ptr):
    row = tl.program_id(0)
    for part in tl.static_range(2):
        i = row * 4096 + part * 2048 + tl.arange(0, 2048)
        j = part * 2048 + tl.arange(0, 2048)
        v = tl.load(x_ptr + i) * tl.load(factor_ptr + j) + tl.load(state_ptr + j)
        y = 2.0 * tl.sigmoid(2.0 * v) - 1.0
        tl.store(out_ptr + i, y)


class ModelNew(nn.Module):
    def forward(self, x, factor, state):
        out = torch.empty_like(x)
        rows[(6144,)](x, factor, state, out)
        return out
