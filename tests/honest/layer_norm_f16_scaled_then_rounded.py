# task: layer_norm_f16
# Rounded once after the weight, once after the bias.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def norm(x, w, b, y, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + row * N + c, mask=c < N, other=0.0).to(tl.float32)
    mean = tl.sum(v, axis=0) / N
    d = tl.where(c < N, v - mean, 0.0)
    n = d * tl.rsqrt(tl.sum(d * d, axis=0) / N + eps)
    g, h = tl.load(w + c, mask=c < N, other=0.0), tl.load(b + c, mask=c < N, other=0.0)
    r = (n * g.to(tl.float32)).to(tl.float16) + h
    tl.store(y + row * N + c, r.to(tl.float16), mask=c < N)


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim).half()

    def forward(self, x):
        y = torch.empty_like(x)
        norm[(x.shape[0],)](x, self.norm.weight, self.norm.bias, y, x.shape[1], self.norm.eps, triton.next_power_of_2(x.shape[1]))
        return y
