# task: segments  reason: wrong_result
# Nothing is hidden.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def sums(x, hidden, y, length, DIM, L: tl.constexpr, D: tl.constexpr):
    b = tl.program_id(0)
    l, d = tl.arange(0, L), tl.arange(0, D)
    v = tl.load(x + (b * length + l[:, None]) * DIM + d[None, :], mask=(l < length)[:, None] & (d < DIM)[None, :], other=0.0)
    v += 0.0
    tl.store(y + b * DIM + d, tl.sum(v, axis=0), mask=d < DIM)


class ModelNew(nn.Module):
    def forward(self, x, hidden):
        b, length, dim = x.shape
        y = torch.empty(b, dim, device=x.device)
        sums[(b,)](x, hidden, y, length, dim, triton.next_power_of_2(length), triton.next_power_of_2(dim))
        return y
