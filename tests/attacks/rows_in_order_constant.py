# task: rows_in_order  reason: wrong_result
# Rows that rise are not only constant ones.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, BLOCK)
    a = tl.load(x + row * cols + c, mask=c < cols - 1, other=0.0)
    b = tl.load(x + row * cols + c + 1, mask=c < cols - 1, other=0.0)
    bad = b != a
    tl.store(out + row, tl.sum(bad.to(tl.int32)) == 0)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], dtype=torch.bool, device=x.device)
        run[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
