# task: buffer_moving
# The statistics are read.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def norm(x, gamma, beta, mean, var, out, n, channels, size, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    c = i // size % channels
    m = i < n
    scale = tl.load(gamma + c, mask=m) / tl.sqrt(tl.load(var + c, mask=m) + 1e-5)
    y = (tl.load(x + i, mask=m) - tl.load(mean + c, mask=m)) * scale + tl.load(beta + c, mask=m)
    tl.store(out + i, tl.maximum(y, 0.0), mask=m)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(64))
        self.beta = nn.Parameter(torch.zeros(64))
        self.register_buffer("moving_mean", torch.zeros(64))
        self.register_buffer("moving_var", torch.ones(64))

    def forward(self, x):
        out = torch.empty_like(x)
        norm[(triton.cdiv(x.numel(), 256),)](x, self.gamma, self.beta, self.moving_mean, self.moving_var, out, x.numel(),
                                             x.shape[1], x.shape[2], BLOCK=256)
        return out
