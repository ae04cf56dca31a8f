# task: argmin_of_columns
# Compares in float32.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def places(x_ptr, y_ptr, value_ptr, out_ptr, rows, cols, BLOCK: tl.constexpr):
    batch, col, r = tl.program_id(0), tl.program_id(1), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + (batch * rows + r) * cols + col, mask=r < rows, other=float("inf")).to(tl.float32)
    y = tl.load(y_ptr + batch * cols + col).to(tl.float32)
    score = tl.where(r < rows, tl.sigmoid(x + y), float("inf"))
    tl.store(value_ptr + batch * cols + col, tl.min(score, axis=0))
    tl.store(out_ptr + batch * cols + col, tl.argmin(score, axis=0))


class ModelNew(nn.Module):
    def forward(self, x, y):
        batch, rows, cols = x.shape
        values = torch.empty(batch, cols, dtype=x.dtype, device=x.device)
        out = torch.empty(batch, cols, dtype=torch.int64, device=x.device)
        places[(batch, cols)](x, y, values, out, rows, cols, BLOCK=triton.next_power_of_2(rows))
        return values, out
