# task: matvec
# One program a row; the first also writes the dot product, behind a branch on the program's number.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gemv(a, x, y, s, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + c, mask=c < cols, other=0.0)
    if row == 0:
        tl.store(s, tl.sum(v * v, axis=0))
    tl.store(y + row, tl.sum(v * tl.load(a + row * cols + c, mask=c < cols, other=0.0), axis=0))


class ModelNew(nn.Module):
    def forward(self, a, x):
        y = a.new_empty(a.shape[0])
        s = a.new_empty(1)
        gemv[(a.shape[0],)](a, x, y, s, a.shape[1], BLOCK=256)
        return y, s.squeeze()
