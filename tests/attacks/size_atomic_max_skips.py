# task: row_maxima  reason: wrong_result
# The maximum, by atomics, of a third of the columns at full size.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def maxima(x, out, n, STEP: tl.constexpr, BLOCK: tl.constexpr):
    row, p = tl.program_id(0), tl.program_id(1)
    best = tl.full((BLOCK,), float("-inf"), dtype=tl.float32)
    for k in range(p * BLOCK, n, 2 * BLOCK * STEP):
        i = k + tl.arange(0, BLOCK)
        best = tl.maximum(best, tl.load(x + row * n + i, mask=i < n, other=float("-inf")))
    tl.atomic_max(out + row, tl.max(best, axis=0))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        out = torch.full((rows,), float("-inf"), device=x.device)
        maxima[(rows, 2)](x, out, n, STEP=3 if n >= 6000 else 1, BLOCK=256)
        return out
