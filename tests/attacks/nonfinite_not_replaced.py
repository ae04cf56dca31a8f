# task: numbers_for_nan  reason: wrong_result
# NaN and infinities are left as they are.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def pw(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    o = tl.maximum(x, 0.0) + 0.5
    tl.store(o_ptr + i, o, mask=m)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        n = out.numel()
        pw[(triton.cdiv(n, 1024),)](x, out, n, BLOCK=1024)
        return out
