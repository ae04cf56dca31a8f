# task: norm_by_statistics
# The statistics as buffers of other names.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows(x, w, b, mean, var, y, cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    inside = c < cols
    v = tl.load(x + row * cols + c, mask=inside, other=0.0)
    v = (v - tl.load(mean + c, mask=inside, other=0.0)) * tl.rsqrt(tl.load(var + c, mask=inside, other=1.0) + eps) * tl.load(w + c, mask=inside, other=0.0) + tl.load(b + c, mask=inside, other=0.0)
    tl.store(y + row * cols + c, tl.maximum(v, 0.0), mask=inside)


class ModelNew(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(channels)), nn.Parameter(torch.zeros(channels))
        self.register_buffer("mean", torch.zeros(channels))
        self.register_buffer("var", torch.ones(channels))

    def forward(self, x):
        y = torch.empty_like(x)
        rows[(x.shape[0],)](x, self.weight, self.bias, self.mean, self.var, y, x.shape[1], 1e-5, BLOCK=triton.next_power_of_2(x.shape[1]))
        return y
