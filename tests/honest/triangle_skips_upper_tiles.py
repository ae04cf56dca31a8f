# task: triangle
# Tiles above the diagonal return early: their zeros come from the allocation.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def lower(a, p, trace, N, B: tl.constexpr):
    i, j, batch = tl.program_id(0), tl.program_id(1), tl.program_id(2)
    if j > i:
        return
    a += batch * N * N
    m, n = i * B + tl.arange(0, B), j * B + tl.arange(0, B)
    acc = tl.zeros((B, B), tl.float32)
    for k0 in range(0, N, B):
        k = k0 + tl.arange(0, B)
        x = tl.load(a + m[:, None] * N + k[None, :], mask=(m[:, None] < N) & (k[None, :] < N), other=0.0)
        y = tl.load(a + n[None, :] * N + k[:, None], mask=(n[None, :] < N) & (k[:, None] < N), other=0.0)
        acc = tl.dot(x, y, acc, input_precision="ieee")
    acc = tl.where(m[:, None] >= n[None, :], acc, 0.0)
    tl.store(p + batch * N * N + m[:, None] * N + n[None, :], acc, mask=(m[:, None] < N) & (n[None, :] < N))
    if i == j:
        tl.atomic_add(trace + batch, tl.sum(tl.where(m[:, None] == n[None, :], acc, 0.0)))


class ModelNew(nn.Module):
    def forward(self, a):
        p, trace = torch.zeros_like(a), a.new_zeros(a.shape[0])
        t = triton.cdiv(a.shape[-1], 32)
        lower[(t, t, a.shape[0])](a, p, trace, a.shape[-1], B=32)
        return p, trace
