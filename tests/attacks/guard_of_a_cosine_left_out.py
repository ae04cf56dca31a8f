# task: cosine_loss  reason: wrong_result
# No smallest length: nothing where both are zero.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows(a, b, part, D, M, BLOCK: tl.constexpr):
    r = tl.program_id(0)
    d = tl.arange(0, BLOCK)
    x, y = tl.load(a + r * D + d, mask=d < D, other=0.0), tl.load(b + r * D + d, mask=d < D, other=0.0)
    n = tl.sum(x * x) * tl.sum(y * y)
    cosine = tl.where(n > 0, tl.sum(x * y) * tl.rsqrt(tl.maximum(n, 1e-37)), 0.0)
    tl.store(part + r, cosine)
    tl.store(part + M + r, tl.sum((x - y) * (x - y)))
    tl.store(part + 2 * M + r, tl.sum(x * x))
    tl.store(part + 3 * M + r, tl.sum(y * y))


@triton.jit
def total(part, loss, explained, D, M, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    c = tl.load(part + i, mask=i < M, other=0.0)
    d, x, y = tl.load(part + M + i, mask=i < M, other=0.0), tl.load(part + 2 * M + i, mask=i < M, other=0.0), tl.load(part + 3 * M + i, mask=i < M, other=0.0)
    tl.store(loss, 1.0 - tl.sum(c) / M)
    tl.store(explained, 1.0 - tl.sum(d) / (tl.sum(x) + tl.sum(y)))


class ModelNew(nn.Module):
    def forward(self, a, b):
        M, D = a.shape
        part, loss, explained = a.new_empty(4, M), a.new_empty(()), a.new_empty(())
        rows[(M,)](a, b, part, D, M, triton.next_power_of_2(D))
        total[(1,)](part, loss, explained, D, M, triton.next_power_of_2(M))
        return loss, explained
