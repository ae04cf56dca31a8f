# task: activations
# One pass over the input, four stores, addresses of 64 bits, early return of programs without work.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def four(x_ptr, out_ptr, count, plane, BLOCK: tl.constexpr):
    begin = tl.program_id(0).to(tl.int64) * BLOCK
    if begin >= count:
        return
    index = begin + tl.arange(0, BLOCK)
    mask = index < count
    x = tl.load(x_ptr + index, mask=mask, other=0.0)
    e = tl.exp(tl.minimum(x, 20.0))
    soft = tl.where(x > 20.0, x, libdevice.log1p(e))
    n = e * (e + 2.0)
    tl.store(out_ptr + index, x * n / (n + 2.0), mask=mask)
    tl.store(out_ptr + plane + index, soft, mask=mask)
    tl.store(out_ptr + 2 * plane + index, tl.where(x > 0.0, x, libdevice.expm1(x)), mask=mask)
    tl.store(out_ptr + 3 * plane + index, x * tl.clamp(x + 3.0, 0.0, 6.0) * (1.0 / 6.0), mask=mask)


class ModelNew(nn.Module):
    def __init__(self):
        super(ModelNew, self).__init__()

    def forward(self, x):
        n = x.shape[0]
        out = torch.empty(4, n, device="cuda", dtype=torch.float32)
        # A few programs too many.
        four[(triton.cdiv(n, 256) + 3,)](x, out, n, out.stride(0), BLOCK=256, num_warps=2)
        return out
