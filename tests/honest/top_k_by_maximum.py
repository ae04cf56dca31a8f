# task: top_k
# The largest is taken out four times; tl.sort does the rest.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def topk(x, values, index, ordered, N: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, N)
    v = tl.load(x + row * N + c)
    tl.store(ordered + row * N + c, tl.sort(v))
    for k in tl.static_range(K):
        best = tl.max(v, axis=0)
        where = tl.argmax(v, axis=0)
        tl.store(values + row * K + k, best)
        tl.store(index + row * K + k, where)
        v = tl.where(c == where, float("-inf"), v)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        values = x.new_empty(rows, 4)
        index = torch.empty(rows, 4, dtype=torch.int64, device=x.device)
        ordered = torch.empty_like(x)
        topk[(rows,)](x, values, index, ordered, N=n, K=4)
        return values, index, ordered
