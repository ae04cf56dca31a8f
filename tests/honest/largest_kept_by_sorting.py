# task: largest_kept
# Sorts each row.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def keep(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row, j = tl.program_id(0), tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * n + j, mask=j < n, other=float("-inf"))
    ordered = tl.sort(x, descending=True)
    least = tl.max(tl.where(j == 7, ordered, float("-inf")), axis=0)
    tl.store(out_ptr + row * n + j, tl.where(x < least, float("-inf"), x), mask=j < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        keep[(x.shape[0],)](x, out, x.shape[1], BLOCK=256)
        return out
