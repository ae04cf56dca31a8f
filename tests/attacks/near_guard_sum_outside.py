# task: normalised_sum  reason: wrong_result
# The guard is added to the root.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, y, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, BLOCK)
    a = tl.load(x + row * cols + c, mask=c < cols, other=0.0)
    b = tl.load(y + row * cols + c, mask=c < cols, other=0.0)
    s = a + b
    k = 1.0 / (tl.sqrt(tl.sum(s * s) / cols) + 0.0031622776601683795)
    tl.store(out + row * cols + c, s * k, mask=c < cols)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        run[(x.shape[0],)](x, y, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
