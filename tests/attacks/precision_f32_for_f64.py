# task: matvec  reason: wrong_result
# The task is in float64; the sums are in float32.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gemv(a, x, y, s, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + c, mask=c < cols, other=0.0).to(tl.float32)
    if row == 0:
        tl.store(s, tl.sum(v * v, axis=0).to(tl.float64))
    w = tl.load(a + row * cols + c, mask=c < cols, other=0.0).to(tl.float32)
    tl.store(y + row, tl.sum(v * w, axis=0).to(tl.float64))


class ModelNew(nn.Module):
    def forward(self, a, x):
        y, s = a.new_empty(a.shape[0]), a.new_empty(())
        gemv[(a.shape[0],)](a, x, y, s, a.shape[1], BLOCK=256)
        return y, s
