# task: far_placed  reason: wrong_result
# The second half of all rows is zero.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows(x_ptr, places_ptr, out_ptr, cols, out_cols, BLOCK: tl.constexpr):
    row, j = tl.program_id(0), tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = j < out_cols
    p = tl.load(places_ptr + j, mask=inside, other=0)
    v = tl.load(x_ptr + row * cols + j, mask=inside, other=0.0)
    tl.store(out_ptr + row * out_cols + p, v * (1 - row // 131072), mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, places):
        batch, rows_, cols = x.shape
        out_cols = cols
        out = torch.empty(batch, rows_, out_cols, device=x.device)
        rows[(batch * rows_, triton.cdiv(out_cols, 256))](x, places, out, cols, out_cols, BLOCK=256)
        return out
