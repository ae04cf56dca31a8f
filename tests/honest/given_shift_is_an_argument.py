# task: shift_python
# The shift is an argument.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra.cuda import libdevice


@triton.jit
def run(x, out, cols, shift, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + r * cols + (c + cols - shift) % cols, mask=c < cols)
    tl.store(out + r * cols + c, libdevice.tanh(v), mask=c < cols)


class ModelNew(nn.Module):
    def forward(self, x, shift):
        out = torch.empty_like(x)
        run[(x.shape[0],)](x, out, x.shape[1], shift % x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
