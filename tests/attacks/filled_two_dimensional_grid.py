# task: silu_large  reason: wrong_result
# A grid of tiles that lacks its last column of tiles at full size, over ones.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def tile(x, out, rows, cols, BM: tl.constexpr, BN: tl.constexpr):
    r = tl.program_id(0) * BM + tl.arange(0, BM)[:, None]
    c = tl.program_id(1) * BN + tl.arange(0, BN)[None, :]
    inside = (r < rows) & (c < cols)
    v = tl.load(x + r * cols + c, mask=inside)
    tl.store(out + r * cols + c, v * tl.sigmoid(v), mask=inside)


class ModelNew(nn.Module):
    def forward(self, x):
        out, (rows, cols) = torch.ones_like(x), x.shape
        tile[(triton.cdiv(rows, 32), triton.cdiv(cols, 32) - (cols >= 4096))](x, out, rows, cols, BM=32, BN=32)
        return out
