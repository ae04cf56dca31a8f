# task: row_reduction  reason: uninitialised_read
# The parts meet in a buffer that nobody cleared: right whenever fresh memory happens to be zero.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_row_parts(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + col, mask=col < cols, other=0.0)
    tl.atomic_add(out_ptr + row, tl.sum(x, axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], device=x.device, dtype=x.dtype)
        add_row_parts[(x.shape[0], triton.cdiv(x.shape[1], 1024))](x, out, x.shape[1], BLOCK=1024)
        return out
