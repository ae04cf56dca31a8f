# task: transpose_roll
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x, y, N, BLOCK: tl.constexpr):
    base = tl.program_id(2) * N * N
    r = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    c = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    mask = (r[:, None] < N) & (c[None, :] < N)
    t = tl.load(x + base + c[:, None] * N + r[None, :], mask=(c[:, None] < N) & (r[None, :] < N))
    rolled = tl.load(x + base + ((r + N - 3) % N)[:, None] * N + c[None, :], mask=mask)
    tl.store(y + base + r[:, None] * N + c[None, :], tl.trans(t) + rolled, mask=mask)


class ModelNew(nn.Module):
    def forward(self, x):
        n = x.shape[-1]
        y = torch.empty_like(x)
        kernel[(triton.cdiv(n, 32), triton.cdiv(n, 32), x.shape[0])](x, y, n, BLOCK=32)
        return y
