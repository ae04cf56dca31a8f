# task: cumsum_rows
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def larger(a, b):
    return tl.maximum(a, b)


@triton.jit
def scan(x, s, m, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    v = tl.load(x + row * n + i, mask=i < n, other=0.0)
    tl.store(s + row * n + i, tl.cumsum(v, axis=0), mask=i < n)
    tl.store(m + row * n + i, tl.associative_scan(v, 0, larger), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        s, m = torch.empty_like(x), torch.empty_like(x)
        scan[(x.shape[0],)](x, s, m, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return s, m
