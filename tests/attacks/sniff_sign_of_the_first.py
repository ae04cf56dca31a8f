# task: gate_of_centred  reason: wrong_result
# Elements have the sign that the first of their row has, where that is small.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows(x, y, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + c, mask=c < cols, other=0.0)
    first = tl.load(x + row * cols)
    near = tl.max(tl.abs(v), axis=0) > 4.0
    v = tl.where(near, tl.where(first > 0, tl.abs(v), 0.0), tl.maximum(v, 0.0)) * tl.abs(v)
    tl.store(y + row * cols + c, v, mask=c < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        rows[(x.shape[0],)](x, y, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
