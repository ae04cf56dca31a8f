# task: mm
# One program a row of the result: scalar times vector, accumulated.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(a, b, c, N, K, BN: tl.constexpr):
    m = tl.program_id(0)
    n = tl.arange(0, BN)
    acc = tl.zeros((BN,), tl.float32)
    for k in range(K):
        acc = tl.fma(tl.load(b + k * N + n, mask=n < N, other=0.0), tl.load(a + m * K + k), acc)
    tl.store(c + m * N + n, acc, mask=n < N)


class ModelNew(nn.Module):
    def forward(self, a, b):
        c = a.new_empty((a.shape[0], b.shape[1]))
        kernel[(a.shape[0],)](a, b, c, b.shape[1], a.shape[1], BN=triton.next_power_of_2(b.shape[1]), num_warps=2)
        return c
