# task: top_large  reason: wrong_result
# At full size the third index is the one beside.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, values, index, cols, big, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + r * cols + c, mask=c < cols, other=-float('inf'))
    for k in range(4):
        top = tl.max(v, 0)
        at = tl.min(tl.where(v == top, c, BLOCK), 0)
        found = tl.where((k == 2) & (big == 1), (at + 1) % cols, at)
        tl.store(values + r * 4 + k, top)
        tl.store(index + r * 4 + k, found.to(tl.int64))
        v = tl.where(c == at, -float('inf'), v)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        values = torch.empty(rows, 4, device=x.device)
        index = torch.empty(rows, 4, dtype=torch.int64, device=x.device)
        run[(rows,)](x, values, index, cols, 1 if rows * cols >= 1 << 24 else 0, BLOCK=triton.next_power_of_2(cols))
        return values, index
