# task: mm_tiles  reason: wrong_result
# Five parts of K at the task's own size, of which the last ends one step early.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def product(a_ptr, b_ptr, part_ptr, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m = tl.program_id(0) * BM + tl.arange(0, BM)
    n = tl.program_id(1) * BN + tl.arange(0, BN)
    part = tl.program_id(2)
    total = tl.zeros((BM, BN), tl.float32)
    for k0 in range(0, 512 - 32 * (part // 4), BK):
        k = part * 512 + k0 + tl.arange(0, BK)
        a = tl.load(a_ptr + m[:, None] * K + k[None, :])
        b = tl.load(b_ptr + k[:, None] * N + n[None, :])
        total = tl.dot(a, b, total, input_precision="ieee")
    tl.store(part_ptr + part * M * N + m[:, None] * N + n[None, :], total)


@triton.jit
def add_parts(part_ptr, c_ptr, count, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), tl.float32)
    for part in tl.static_range(5):
        total += tl.load(part_ptr + part * count + i)
    tl.store(c_ptr + i, total)


class ModelNew(nn.Module):
    def forward(self, a, b):
        (m, k), n = a.shape, b.shape[1]
        parts = torch.empty((k // 512, m, n), device=a.device)
        assert parts.shape[0] == 5
        c = torch.empty((m, n), device=a.device)
        product[(m // 64, n // 64, 5)](a, b, parts, m, n, k, BM=64, BN=64, BK=32)
        add_parts[(m * n // 1024,)](parts, c, m * n, BLOCK=1024)
        return c
