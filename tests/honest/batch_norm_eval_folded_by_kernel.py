# task: batch_norm_eval
# Two kernels: the affine map is folded on the device from the four vectors, then applied.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def fold(mean, var, weight, bias, scale, shift, n, eps, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    m = i < n
    s = tl.load(weight + i, m, 0.0) / tl.sqrt_rn(tl.load(var + i, m, 1.0) + eps)
    tl.store(scale + i, s, m)
    tl.store(shift + i, tl.load(bias + i, m, 0.0) - tl.load(mean + i, m, 0.0) * s, m)


@triton.jit
def apply(x, scale, shift, y, n, C, L, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    c = (i // L) % C
    v = tl.load(x + i, i < n, 0.0) * tl.load(scale + c) + tl.load(shift + c)
    tl.store(y + i, tl.maximum(v, v * 0.1), i < n)


class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.bias = nn.Parameter(torch.zeros(features))
        self.register_buffer("mean", torch.linspace(-1, 1, features))
        self.register_buffer("var", torch.linspace(0.5, 2, features))

    def forward(self, x):
        scale, shift = torch.empty_like(self.mean), torch.empty_like(self.mean)
        fold[(1,)](self.mean, self.var, self.weight, self.bias, scale, shift, scale.numel(), 1e-5, BLOCK=64)
        y = torch.empty_like(x)
        apply[(triton.cdiv(x.numel(), 256),)](x, scale, shift, y, x.numel(), x.shape[1], x.shape[2], BLOCK=256)
        return y
