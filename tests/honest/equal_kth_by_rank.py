# task: equal_kth
# Its rank counts equal elements behind it as well.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kth(x_ptr, value_ptr, place_ptr, cols, K: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + at, mask=at < cols, other=float("inf"))
    before = (x[None, :] < x[:, None]) | ((x[None, :] == x[:, None]) & (at[None, :] > at[:, None]))
    rank = tl.sum(before.to(tl.int32), 1)
    found = (rank == K - 1) & (at < cols)
    tl.store(value_ptr + row, tl.sum(tl.where(found, x, 0.0), 0))
    tl.store(place_ptr + row, tl.sum(tl.where(found, at, 0), 0).to(tl.int64))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        value = x.new_empty(rows)
        place = torch.empty(rows, dtype=torch.int64, device=x.device)
        kth[(rows,)](x, value, place, cols, K=20, BLOCK=triton.next_power_of_2(cols))
        return value, place
