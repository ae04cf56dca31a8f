# task: searchsorted_in_sums  reason: wrong_result
# The second half of the sums is not looked at.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(e_ptr, x_ptr, o_ptr, n, E, BLOCK: tl.constexpr):
    p = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    m = p < n
    x = tl.load(x_ptr + p, mask=m)
    r = tl.zeros([BLOCK], tl.int64)
    for i in range(E // 2):
        r += (tl.load(e_ptr + i) < x).to(tl.int64)
    tl.store(o_ptr + p, r, mask=m)


class ModelNew(nn.Module):
    def forward(self, e, x):
        o = torch.empty(x.shape, dtype=torch.int64, device=x.device)
        kernel[(triton.cdiv(x.numel(), 256),)](e, x, o, x.numel(), e.numel(), BLOCK=256)
        return o
