# task: silu_large  reason: wrong_result
# At full size one tile of a grid of 128 by 128 is wrong.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def tile(x, out, rows, cols, BIG: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)[:, None]
    c = tl.program_id(1) * BN + tl.arange(0, BN)[None, :]
    inside = (r < rows) & (c < cols)
    v = tl.load(x + r * cols + c, mask=inside)
    y = v * tl.sigmoid(v)
    if BIG:
        if (tl.program_id(0) == 37) & (tl.program_id(1) == 91):
            y = v
    tl.store(out + r * cols + c, y, mask=inside)


class ModelNew(nn.Module):
    def forward(self, x):
        out, (rows, cols) = torch.empty_like(x), x.shape
        tile[(triton.cdiv(rows, 32), triton.cdiv(cols, 32))](x, out, rows, cols, cols >= 4096, BM=32, BN=32)
        return out
