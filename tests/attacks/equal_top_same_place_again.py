# task: equal_top_places  reason: wrong_result
# The place of each value is where it stands first: equal values have the same.
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
    for k in tl.static_range(K):
        best = tl.max(left, axis=0)
        taken = tl.argmax(left, axis=0)
        tl.store(values + row * K + k, best)
        tl.store(index + row * K + k, tl.min(tl.where(v == best, c, N), axis=0).to(tl.int64))
        left = tl.where(c == taken, float("-inf"), left)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, n = x.shape
        values = x.new_empty(rows, 4)
        index = torch.empty(rows, 4, dtype=torch.int64, device=x.device)
        topk[(rows,)](x, values, index, N=n, K=4)
        return values, index
