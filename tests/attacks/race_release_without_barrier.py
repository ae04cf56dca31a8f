# task: mm  reason: race
# One thread raises the flag while others may still store their elements of the part.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def stream_k(a, b, c, parts, flags, M, N, K, total, per, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    program = tl.program_id(0)
    begin = program * per
    end = min(begin + per, total)
    steps = tl.cdiv(K, BK)
    in_tile = tl.arange(0, BM)[:, None] * BN + tl.arange(0, BN)[None, :]
    while begin < end:
        tile = begin // steps
        first = begin - tile * steps
        last = min(steps, first + end - begin)
        m = tile // tl.cdiv(N, BN) * BM + tl.arange(0, BM)
        n = tile % tl.cdiv(N, BN) * BN + tl.arange(0, BN)
        acc = tl.zeros((BM, BN), tl.float32)
        for step in range(first, last):
            k = step * BK + tl.arange(0, BK)
            x = tl.load(a + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
            y = tl.load(b + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
            acc = tl.dot(x, y, acc, input_precision="ieee")
        if first > 0:
            tl.store(parts + program * BM * BN + in_tile, acc)
            tl.atomic_xchg(flags + program, 1, sem="release")
        else:
            next = program + 1
            done = last
            while done < steps:
                while tl.atomic_add(flags + next, 0, sem="acquire") == 0:
                    pass
                acc += tl.load(parts + next * BM * BN + in_tile)
                done += per
                next += 1
            tl.store(c + m[:, None] * N + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))
        begin += last - first


class ModelNew(nn.Module):
    def forward(self, a, b):
        (M, K), N = a.shape, b.shape[1]
        c = torch.empty((M, N), device=a.device)
        total = triton.cdiv(M, 32) * triton.cdiv(N, 32) * triton.cdiv(K, 16)
        parts = torch.empty((4, 32, 32), device=a.device)
        flags = torch.zeros(4, dtype=torch.int32, device=a.device)
        stream_k[(4,)](a, b, c, parts, flags, M, N, K, total, triton.cdiv(total, 4), BM=32, BN=32, BK=16)
        return c
