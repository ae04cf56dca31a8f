# task: layer_norm_bf16
# The variance of all elements.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def norm(x, scale, shift, out, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + row * cols + c, mask=c < cols, other=0.0).to(tl.float32)
    d = tl.where(c < cols, v - tl.sum(v, axis=0) / cols, 0.0)
    y = d * tl.rsqrt(tl.sum(d * d, axis=0) / cols + 1e-5)
    y = y * tl.load(scale + c, mask=c < cols).to(tl.float32) + tl.load(shift + c, mask=c < cols).to(tl.float32)
    tl.store(out + row * cols + c, y, mask=c < cols)


class ModelNew(nn.Module):
    def __init__(self, cols):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(cols, dtype=torch.bfloat16))
        self.shift = nn.Parameter(torch.zeros(cols, dtype=torch.bfloat16))

    def forward(self, x):
        rows, cols = x.shape
        out = torch.empty_like(x)
        norm[(rows,)](x, self.scale, self.shift, out, cols, BLOCK=triton.next_power_of_2(cols))
        return out
