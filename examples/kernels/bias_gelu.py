# task: bias_gelu
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def bias_gelu(x_ptr, bias_ptr, out_ptr, rows, cols, row_stride,
              ROWS_PER_PROGRAM: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0) * ROWS_PER_PROGRAM + tl.arange(0, ROWS_PER_PROGRAM)
    col = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = (row < rows)[:, None] & (col < cols)[None, :]
    # The bias is read once for all rows of the tile.
    bias = tl.load(bias_ptr + col, mask=col < cols, other=0.0)
    offsets = row.to(tl.int64)[:, None] * row_stride + col[None, :]
    x = tl.load(x_ptr + offsets, mask=inside, other=0.0) + bias[None, :]
    result = 0.5 * x * (1.0 + tl.erf(x * 0.7071067811865476))
    tl.store(out_ptr + offsets, result, mask=inside)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(features))

    def forward(self, x):
        flat = x.reshape(-1, x.shape[-1]).contiguous()
        rows, cols = flat.shape
        out = torch.empty_like(flat)
        grid = (triton.cdiv(rows, 8), triton.cdiv(cols, 256))
        bias_gelu[grid](flat, self.bias, out, rows, cols, flat.stride(0), ROWS_PER_PROGRAM=8, BLOCK=256, num_warps=4)
        return out.view_as(x)
