# task: far_between  reason: wrong_result
# The second half of all rows is zero.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows(x_ptr, out_ptr, cols, out_cols, BLOCK: tl.constexpr):
    row, j = tl.program_id(0), tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = j < out_cols
    place = tl.maximum(0.5 * (j + 0.5) - 0.5, 0.0)
    low = place.to(tl.int32)
    share = place - low
    a = tl.load(x_ptr + row * cols + low, mask=inside, other=0.0)
    b = tl.load(x_ptr + row * cols + tl.minimum(low + 1, cols - 1), mask=inside, other=0.0)
    y = a * (1.0 - share) + b * share
    tl.store(out_ptr + row * out_cols + j, y * (1 - row // 131072), mask=inside)


class ModelNew(nn.Module):
    def forward(self, x):
        batch, rows_, cols = x.shape
        out_cols = 2 * cols
        out = torch.empty(batch, rows_, out_cols, device=x.device)
        rows[(batch * rows_, triton.cdiv(out_cols, 256))](x, out, cols, out_cols, BLOCK=256)
        return out
