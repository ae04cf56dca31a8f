# task: equal_top_places  reason: wrong_result
# Values are right; places are those of the four largest distinct values.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def topk(x, values, index, N: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, N)
    v = tl.load(x + row * N + c)
    left = v
    distinct = v
    for k in tl.static_range(K):
        tl.store(values + row * K + k, tl.max(left, axis=0))
        left = tl.where(c == tl.argmax(left, axis=0), float("-inf"), left)
        tl.store(index + row * K + k, tl.argmax(distinct, axis=0).to(tl.int64))
        distinct = tl.where(distinct == tl.max(distinct, axis=0), float("-inf"), distinct)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        values = x.new_empty(rows, 4)
        index = torch.empty(rows, 4, dtype=torch.int64, device=x.device)
        topk[(rows,)](x, values, index, N=n, K=4)
        return values, index
