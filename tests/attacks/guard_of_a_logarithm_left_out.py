# task: unit_rows_guarded  reason: wrong_result
# The least argument in the place of the guard that is added.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows(x, y, unit, logs, D, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    a = tl.load(x + r * D + d, mask=d < D, other=0.0)
    b = tl.load(y + r * D + d, mask=d < D, other=0.0)
    squares = tl.sum(a * a)
    tl.store(unit + r * D + d, a / tl.maximum(tl.sqrt(squares), 1e-6), mask=d < D)
    total = tl.sum(tl.abs(b))
    tl.store(logs + r, tl.log(tl.maximum(total, 1e-7)))


class ModelNew(nn.Module):
    def forward(self, x, y):
        M, D = x.shape
        unit, logs = torch.empty_like(x), x.new_empty(M)
        rows[(M,)](x, y, unit, logs, D, triton.next_power_of_2(D))
        return unit, logs
