# task: transpose_roll
# The transpose by a block pointer with swapped strides.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x, y, n, BLOCK: tl.constexpr):
    x += tl.program_id(2) * n * n
    y += tl.program_id(2) * n * n
    r0, c0 = tl.program_id(0) * BLOCK, tl.program_id(1) * BLOCK
    transposed = tl.make_block_ptr(x, (n, n), (1, n), (r0, c0), (BLOCK, BLOCK), (0, 1))
    target = tl.make_block_ptr(y, (n, n), (n, 1), (r0, c0), (BLOCK, BLOCK), (1, 0))
    r = r0 - 3 + tl.arange(0, BLOCK)
    r = tl.where(r < 0, r + n, r)
    c = c0 + tl.arange(0, BLOCK)
    rolled = tl.load(x + r[:, None] * n + c[None, :], mask=(r[:, None] < n) & (c[None, :] < n), other=0.0)
    tl.store(target, tl.load(transposed, boundary_check=(0, 1)) + rolled, boundary_check=(0, 1))


class ModelNew(nn.Module):
    def forward(self, x):
        n = x.shape[-1]
        y = torch.zeros_like(x)
        kernel[(triton.cdiv(n, 16), triton.cdiv(n, 16), x.shape[0])](x, y, n, BLOCK=16, num_warps=1)
        return y
