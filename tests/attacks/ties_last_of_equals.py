# task: ties_large  reason: wrong_result
# At full size the last of the largest numbers is taken.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, cols, big, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + r * cols + c, mask=c < cols, other=-float('inf'))
    top = tl.max(v, 0)
    first = tl.min(tl.where(v == top, c, BLOCK), 0)
    last = tl.max(tl.where(v == top, c, -1), 0)
    n = tl.where(big == 1, last, first)
    tl.store(out + r, n.to(tl.int64))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        out = torch.empty(rows, dtype=torch.int64, device=x.device)
        run[(rows,)](x, out, cols, 1 if rows * cols >= 1 << 24 else 0, BLOCK=triton.next_power_of_2(cols))
        return out
