# task: row_reduction  reason: race
# The parts of a row are added by a plain load, add and store: programs overwrite each other's sums.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add_row_parts(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + col, mask=col < cols, other=0.0)
    tl.store(out_ptr + row, tl.load(out_ptr + row) + tl.sum(x, axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.zeros(x.shape[0], device=x.device, dtype=x.dtype)
        add_row_parts[(x.shape[0], triton.cdiv(x.shape[1], 64))](x, out, x.shape[1], BLOCK=64)
        return out
