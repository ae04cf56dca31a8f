# task: row_sums  reason: uninitialised_read
# Atomics into memory that nobody has zeroed.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def partial(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    col = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out_ptr + row, tl.sum(tl.load(x_ptr + row * cols + col, mask=col < cols, other=0.0), axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        out = torch.empty(rows, device=x.device)
        partial[(rows, triton.cdiv(cols, 2048))](x, out, cols, BLOCK=2048)
        return out
