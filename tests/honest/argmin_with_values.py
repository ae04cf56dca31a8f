# task: extremes_large
# The smallest number of each row and where it lies.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, values, index, n, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    v = tl.load(x + row * n + i, mask=i < n, other=float("inf"))
    least, at = tl.min(v, axis=0, return_indices=True)
    tl.store(values + row, least)
    tl.store(index + row, at.to(tl.int64))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        values, index = torch.empty(rows, device=x.device), torch.empty(rows, dtype=torch.int64, device=x.device)
        run[(rows,)](x, values, index, n, BLOCK=triton.next_power_of_2(n))
        return values, index
