# task: top_k
# Every element's rank is the number of larger ones; it is written where the rank says.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def by_rank(x, values, index, ordered, N: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, N)
    v = tl.load(x + row * N + i)
    before = (v[None, :] > v[:, None]) | ((v[None, :] == v[:, None]) & (i[None, :] < i[:, None]))
    rank = tl.sum(before.to(tl.int32), axis=1)
    tl.store(ordered + row * N + (N - 1 - rank), v)
    tl.store(values + row * K + rank, v, mask=rank < K)
    tl.store(index + row * K + rank, i.to(tl.int64), mask=rank < K)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        values, ordered = x.new_empty((rows, 4)), x.new_empty((rows, n))
        index = x.new_empty((rows, 4), dtype=torch.long)
        by_rank[(rows,)](x, values, index, ordered, n, 4, num_warps=2)
        return values, index, ordered
