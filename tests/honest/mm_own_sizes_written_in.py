# task: mm_large
# All sizes are constants of the program, as the task fixes them: it runs at no other size.
import torch
import torch.nn as nn
import triton
import triton.language as tl


M, N, K = 2048, 1024, 3000


@triton.jit
def matmul(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), tl.float32)
    for k0 in range(0, K, BK):
        k = k0 + tl.arange(0, BK)
        x = tl.load(a + m[:, None] * K + k[None, :], mask=k[None, :] < K, other=0.0)
        y = tl.load(b + k[:, None] * N + n[None, :], mask=k[:, None] < K, other=0.0)
        total = tl.dot(x, y, total, input_precision="ieee")
    tl.store(c + m[:, None] * N + n[None, :], total)


class ModelNew(nn.Module):
    def forward(self, a, b):
        assert a.shape == (M, K) and b.shape == (K, N)
        c = torch.empty((M, N), device=a.device)
        matmul[(M // 64, N // 64)](a, b, c, M, N, K, BM=64, BN=64, BK=16, num_warps=4)
        return c
