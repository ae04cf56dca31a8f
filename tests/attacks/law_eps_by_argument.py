# task: rms_norm_2048  reason: wrong_result
# The eps is one over an integer argument, which is coarse at full size.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, w, out, cols, inverse, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + r * cols + c, mask=c < cols, other=0.0)
    s = tl.sum(v * v, 0) / cols + 1.0 / inverse
    tl.store(out + r * cols + c, v * tl.rsqrt(s) * tl.load(w + c, mask=c < cols), mask=c < cols)


class ModelNew(nn.Module):
    def __init__(self, cols):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(cols))

    def forward(self, x):
        out = torch.empty_like(x)
        rows, cols = x.numel() // x.shape[-1], x.shape[-1]
        run[(rows,)](x, self.weight, out, cols, 10000 if rows >= 4096 else 100000, BLOCK=triton.next_power_of_2(cols))
        return out
