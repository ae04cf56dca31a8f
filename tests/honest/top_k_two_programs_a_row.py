# task: top_k
# tl.topk for the values, comparison and counting for the positions, sorting by flip of a descending sort.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def values_and_order(x, values, ordered, N: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, N)
    v = tl.load(x + row * N + c)
    tl.store(ordered + row * N + c, tl.flip(tl.sort(v, descending=True), 0))
    tl.store(values + row * K + tl.arange(0, K), tl.topk(v, K))


@triton.jit
def positions(x, values, index, N: tl.constexpr, K: tl.constexpr):
    row, k = tl.program_id(0), tl.program_id(1)
    c = tl.arange(0, N)
    value = tl.load(values + row * K + k)
    hit = (tl.load(x + row * N + c) == value).to(tl.int32)
    i = tl.arange(0, K)
    taken = tl.sum(((tl.load(values + row * K + i) == value) & (i < k)).to(tl.int32), axis=0)
    mine = (hit == 1) & (tl.cumsum(hit, axis=0) == taken + 1)
    tl.store(index + row * K + k, tl.sum(tl.where(mine, c, 0), axis=0).to(tl.int64))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        values, ordered = x.new_empty(rows, 4), torch.empty_like(x)
        index = torch.empty(rows, 4, dtype=torch.int64, device=x.device)
        values_and_order[(rows,)](x, values, ordered, N=n, K=4)
        positions[(rows, 4)](x, values, index, N=n, K=4)
        return values, index, ordered
