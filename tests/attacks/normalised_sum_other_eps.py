# task: normalised_sum  reason: wrong_result
# Another eps shows where both inputs are small.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, y, out, cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, BLOCK)
    a = tl.load(x + row * cols + c, mask=c < cols, other=0.0)
    s = a + tl.load(y + row * cols + c, mask=c < cols, other=0.0)
    r = s * tl.rsqrt(tl.sum(s * s) / cols + eps)
    tl.store(out + row * cols + c, r, mask=c < cols)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        run[(x.shape[0],)](x, y, out, x.shape[1], 1e-6, BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
