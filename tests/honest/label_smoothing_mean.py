# task: label_smoothing_mean
# No label is ignored that the task does not name; rows are added by atomics.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, o_ptr, cols, rows, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, BLOCK)
    m = c < cols
    x = tl.load(x_ptr + row * cols + c, mask=m, other=float("-inf"))
    y = tl.load(y_ptr + row)
    mx = tl.max(x, axis=0)
    lse = mx + tl.log(tl.sum(tl.exp(x - mx), axis=0))
    nll = lse - tl.load(x_ptr + row * cols + y)
    sm = lse - tl.sum(tl.where(m, x, 0.0)) / cols
    tl.atomic_add(o_ptr, (0.9 * nll + 0.1 * sm) / rows)


class ModelNew(nn.Module):
    def forward(self, x, y):
        o = torch.zeros((), device=x.device)
        kernel[(x.shape[0],)](x, y, o, x.shape[1], x.shape[0], BLOCK=triton.next_power_of_2(x.shape[1]))
        return o
