# task: far_turned
# One launch, of rows and columns.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row, j = tl.program_id(0), tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    batch, i = row // n, row % n
    y = tl.load(x_ptr + batch * n * n + j * n + n - 1 - i, mask=j < n, other=0.0)
    tl.store(out_ptr + row * n + j, y, mask=j < n)


class ModelNew(nn.Module):
    def forward(self, x):
        batch, n, _ = x.shape
        out = torch.empty_like(x)
        rows[(batch * n, triton.cdiv(n, 256))](x, out, n, BLOCK=256)
        return out
