# task: mean_without_nan
# A row of NaN counts one.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, BLOCK)
    a = tl.load(x + row * cols + c, mask=c < cols, other=float('nan'))
    v = a == a
    count = tl.sum(v.to(tl.int32))
    tl.store(out + row, tl.sum(tl.where(v, a, 0.0)) / tl.maximum(count, 1))


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], device=x.device)
        run[(x.shape[0],)](x, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
