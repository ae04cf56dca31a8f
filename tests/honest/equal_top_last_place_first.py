# task: equal_top_places
# Of several equal elements the last comes first.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def topk(x, values, index, N: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, N)
    v = tl.load(x + row * N + c)
    for k in tl.static_range(K):
        best = tl.max(v, axis=0)
        where = tl.max(tl.where(v == best, c, -1), axis=0)
        tl.store(values + row * K + k, best)
        tl.store(index + row * K + k, where.to(tl.int64))
        v = tl.where(c == where, float("-inf"), v)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        values = x.new_empty(rows, 4)
        index = torch.empty(rows, 4, dtype=torch.int64, device=x.device)
        topk[(rows,)](x, values, index, N=n, K=4)
        return values, index
