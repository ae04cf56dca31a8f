# task: rms_norm_residual
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x, r, g, y, h, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    ok = c < n
    s = tl.load(x + row * n + c, mask=ok, other=0.0) + tl.load(r + row * n + c, mask=ok, other=0.0)
    tl.store(h + row * n + c, s, mask=ok)
    f = s.to(tl.float32)
    normal = f * tl.rsqrt(tl.sum(f * f, 0) / n + eps)
    tl.store(y + row * n + c, normal.to(tl.bfloat16) * tl.load(g + c, mask=ok, other=0.0), mask=ok)


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(dim, dtype=torch.bfloat16))

    def forward(self, x, residual):
        y, h = torch.empty_like(x), torch.empty_like(x)
        kernel[(x.shape[0],)](x, residual, self.gain, y, h, x.shape[1], 1e-5, BLOCK=512, num_warps=4)
        return y, h
