# task: alike_angles
# The cosine is clamped.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def angles(x_ptr, y_ptr, out_ptr, D: tl.constexpr):
    row = tl.program_id(0)
    d = tl.arange(0, D)
    x = tl.load(x_ptr + row * D + d)
    y = tl.load(y_ptr + row * D + d)
    xx = tl.maximum(tl.sqrt(tl.sum(x * x, 0)), 1e-8)
    yy = tl.maximum(tl.sqrt(tl.sum(y * y, 0)), 1e-8)
    c = tl.sum(x * y, 0) / (xx * yy)
    c = tl.minimum(tl.maximum(c, -1 + 1e-6), 1 - 1e-6)
    tl.store(out_ptr + row, libdevice.acos(c))


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = x.new_empty(x.shape[0])
        angles[(x.shape[0],)](x, y, out, D=x.shape[1])
        return out
