# task: extremes_large  reason: wrong_result
# Values are right; at full size the positions are those of the largest.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, values, index, n, BIG: tl.constexpr, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * n + i, mask=i < n, other=float("inf"))
    least = tl.min(v, axis=0)
    at = tl.argmin(v, axis=0)
    if BIG:
        at = tl.argmax(tl.where(i < n, v, float("-inf")), axis=0)
    tl.store(values + row, least)
    tl.store(index + row, at.to(tl.int64))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        values, index = torch.empty(rows, device=x.device), torch.empty(rows, dtype=torch.int64, device=x.device)
        run[(rows,)](x, values, index, n, n >= 6000, BLOCK=triton.next_power_of_2(n))
        return values, index
