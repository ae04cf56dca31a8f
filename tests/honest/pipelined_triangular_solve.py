# task: triangular_solve
# The inner loop is pipelined, and what it loads was stored before it began.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def solve(l_ptr, b_ptr, x_ptr, size, cols, BLOCK: tl.constexpr, COLS: tl.constexpr):
    r, c = tl.arange(0, BLOCK), tl.arange(0, COLS)
    for i in range(0, size, BLOCK):
        x = tl.load(b_ptr + (i + r)[:, None] * cols + c[None, :])
        for j in range(0, i, BLOCK):
            lower = tl.load(l_ptr + (i + r)[:, None] * size + (j + r)[None, :])
            before = tl.load(x_ptr + (j + r)[:, None] * cols + c[None, :])
            x -= tl.dot(lower, before, input_precision="ieee")
        tl.store(x_ptr + (i + r)[:, None] * cols + c[None, :], x)
        tl.debug_barrier()


class ModelNew(nn.Module):
    def forward(self, lower, b):
        x = torch.empty_like(b)
        solve[(1,)](lower, b, x, lower.shape[0], b.shape[1], BLOCK=16, COLS=32, num_stages=3)
        return x
