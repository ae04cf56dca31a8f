# task: dequantised_by_zero_points
# The scale times both terms of the difference, each rounded to float16, as published kernels of 4-bit weights do.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def product(x, w, zero, scale, out, IN: tl.constexpr, OUT: tl.constexpr, GROUP: tl.constexpr, M: tl.constexpr, N: tl.constexpr):
    rows, columns, k = tl.arange(0, M), tl.program_id(0) * N + tl.arange(0, N), tl.arange(0, GROUP)
    total = tl.zeros((M, N), dtype=tl.float32)
    for group in range(IN // GROUP):
        a = tl.load(x + rows[:, None] * IN + group * GROUP + k[None, :])
        b = tl.load(w + (group * GROUP + k[:, None]) * OUT + columns[None, :])
        s = tl.load(scale + group * OUT + columns)
        z = tl.load(zero + group * OUT + columns)
        b = b * s[None, :] - (z * s)[None, :]
        total += tl.dot(a, b.to(tl.float16))
    tl.store(out + rows[:, None] * OUT + columns[None, :], total)


class ModelNew(nn.Module):
    def forward(self, x, w, zero, scale):
        out = torch.empty((x.shape[0], w.shape[1]), dtype=x.dtype, device=x.device)
        product[(w.shape[1] // 64,)](x, w, zero, scale, out, IN=w.shape[0], OUT=w.shape[1], GROUP=w.shape[0] // scale.shape[0], M=x.shape[0], N=64)
        return out
