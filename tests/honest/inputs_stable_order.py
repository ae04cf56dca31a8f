# task: stable_order
# Equal ones keep their order.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows(x, y, where, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + i, mask=i < cols, other=float("inf"))
    before = (v[None, :] < v[:, None]) | ((v[None, :] == v[:, None]) & (i[None, :] < i[:, None]))
    rank = tl.sum((before & (i < cols)[None, :]).to(tl.int32), axis=1)
    tl.store(y + row * cols + rank, v, mask=i < cols)
    tl.store(where + row * cols + rank, i.to(tl.int64), mask=i < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        y, where = torch.empty_like(x), torch.empty(x.shape, device=x.device, dtype=torch.int64)
        rows[(x.shape[0],)](x, y, where, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y, where
