# task: argmax_large  reason: wrong_result
# At full size the position of the smallest.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, n, BIG: tl.constexpr, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * n + i, mask=i < n, other=float("-inf"))
    at = tl.argmin(tl.where(i < n, v, float("inf")) if BIG else -v, axis=0)
    tl.store(out + row, at.to(tl.int64))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        out = torch.empty(rows, dtype=torch.int64, device=x.device)
        run[(rows,)](x, out, n, n >= 6000, BLOCK=triton.next_power_of_2(n))
        return out
