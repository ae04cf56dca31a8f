# task: two_gates
# Names of its own, but drawn and registered in the order of the task.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def gates(x_ptr, a_ptr, b_ptr, y_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    for begin in range(0, cols, BLOCK):
        col = begin + tl.arange(0, BLOCK)
        mask = col < cols
        x = tl.load(x_ptr + row * cols + col, mask=mask, other=0.0)
        a = tl.load(a_ptr + col, mask=mask, other=0.0)
        b = tl.load(b_ptr + col, mask=mask, other=0.0)
        tl.store(y_ptr + row * cols + col, tl.sigmoid(x * a) - libdevice.tanh(x * b), mask=mask)


class ModelNew(nn.Module):
    def __init__(self, cols):
        super().__init__()
        self.first = nn.Parameter(torch.empty(cols))
        self.second = nn.Parameter(torch.empty(cols))
        nn.init.normal_(self.first)
        nn.init.normal_(self.second)

    def forward(self, x):
        y = torch.empty_like(x)
        gates[(x.shape[0],)](x, self.first, self.second, y, x.shape[1], BLOCK=256)
        return y
