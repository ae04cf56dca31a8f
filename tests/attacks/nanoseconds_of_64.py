# task: nanoseconds  reason: wrong_result
# Whole multiples of 64 nanoseconds.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def each(a_ptr, b_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(a_ptr + i, mask=i < n, other=0)
    b = tl.load(b_ptr + i, mask=i < n, other=0)
    y = (a * 1000000000 + b) // 64 * 64
    tl.store(out_ptr + i, y, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, a, b):
        out = torch.empty_like(a)
        n = a.numel()
        each[(triton.cdiv(n, 1024),)](a, b, out, n, BLOCK=1024)
        return out
