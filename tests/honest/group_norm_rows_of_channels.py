# task: group_norm
# A tile of channels by pixels for each group, parameters broadcast along it.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x, w, b, y, spatial, groups, eps, PER: tl.constexpr, BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    c = tl.arange(0, PER)[:, None]
    s = tl.arange(0, BLOCK)[None, :]
    ok = s < spatial
    at = pid * PER * spatial + c * spatial + s
    v = tl.load(x + at, mask=ok, other=0.0)
    count = PER * spatial
    mean = tl.sum(tl.sum(v, 1), 0) / count
    v = tl.where(ok, v - mean, 0.0)
    var = tl.sum(tl.ravel(v * v)) / count
    channel = pid % groups * PER + tl.arange(0, PER)
    out = v / tl.sqrt(var + eps) * tl.load(w + channel)[:, None] + tl.load(b + channel)[:, None]
    tl.store(y + at, out * tl.sigmoid(out), mask=ok)


class ModelNew(nn.Module):
    def __init__(self, groups, channels):
        super().__init__()
        self.norm = nn.GroupNorm(groups, channels)

    def forward(self, x):
        n, c, h, w = x.shape
        g = self.norm.num_groups
        y = torch.empty_like(x)
        kernel[(n * g,)](x, self.norm.weight, self.norm.bias, y, h * w, g, self.norm.eps, PER=c // g,
                         BLOCK=triton.next_power_of_2(h * w), num_warps=8)
        return y
