# task: counts_large  reason: wrong_result
# At full size the last column is not counted.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, cols, big, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + r * cols + c, mask=c < cols, other=-float('inf'))
    n = tl.sum(((v > 1.0) & (c < cols - big)).to(tl.int32), 0)
    tl.store(out + r, n.to(tl.int64))


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        out = torch.empty(rows, dtype=torch.int64, device=x.device)
        run[(rows,)](x, out, cols, 1 if rows * cols >= 1 << 24 else 0, BLOCK=triton.next_power_of_2(cols))
        return out
