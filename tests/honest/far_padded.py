# task: far_padded
# One launch, of rows and columns.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows(x_ptr, out_ptr, cols, out_cols, BLOCK: tl.constexpr):
    row, j = tl.program_id(0), tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = j < out_cols
    y = tl.load(x_ptr + row * cols + j - 2, mask=inside & (j >= 2) & (j < cols + 2), other=0.5)
    tl.store(out_ptr + row * out_cols + j, y, mask=inside)


class ModelNew(nn.Module):
    def forward(self, x):
        batch, rows_, cols = x.shape
        out_cols = cols + 3
        out = torch.empty(batch, rows_, out_cols, device=x.device)
        rows[(batch * rows_, triton.cdiv(out_cols, 256))](x, out, cols, out_cols, BLOCK=256)
        return out
