# task: ragged_packed  reason: wrong_result
# The last row of each sequence is left out.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def greatest(x_ptr, offset_ptr, out_ptr, DIM: tl.constexpr, ROWS: tl.constexpr):
    one = tl.program_id(0)
    begin, end = tl.load(offset_ptr + one), tl.load(offset_ptr + one + 1)
    col = tl.arange(0, DIM)
    most = tl.full((DIM,), float("-inf"), tl.float32)
    for start in range(begin, end, ROWS):
        row = start + tl.arange(0, ROWS)
        tile = tl.load(x_ptr + row[:, None] * DIM + col[None, :], mask=(row[:, None] < end - 1) | (row[:, None] == begin), other=float("-inf"))
        most = tl.maximum(most, tl.max(tile, axis=0))
    tl.store(out_ptr + one * DIM + col, most)


class ModelNew(nn.Module):
    def forward(self, x, offsets):
        out = torch.empty(offsets.numel() - 1, x.shape[1], device=x.device)
        greatest[(offsets.numel() - 1,)](x, offsets, out, DIM=x.shape[1], ROWS=8)
        return out
