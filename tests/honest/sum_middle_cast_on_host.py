# task: sum_middle
# The same by atomics, but the small float32 result is cast by PyTorch: a cast between floating types is tolerated.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def partial(x_ptr, acc_ptr, B, C, BLOCK_B: tl.constexpr, BLOCK_C: tl.constexpr):
    a = tl.program_id(2)
    b = tl.program_id(1) * BLOCK_B + tl.arange(0, BLOCK_B)
    c = tl.program_id(0) * BLOCK_C + tl.arange(0, BLOCK_C)
    x = tl.load(x_ptr + (a * B + b[:, None]) * C + c[None, :], mask=(b < B)[:, None] & (c < C)[None, :], other=0.0)
    tl.atomic_add(acc_ptr + a * C + c, tl.sum(x.to(tl.float32), axis=0), mask=c < C)


class ModelNew(nn.Module):
    def forward(self, x):
        a, b, c = x.shape
        acc = x.new_zeros((a, c), dtype=torch.float32)
        partial[(triton.cdiv(c, 16), triton.cdiv(b, 128), a)](x, acc, b, c, BLOCK_B=128, BLOCK_C=16)
        return acc.to(x.dtype)
