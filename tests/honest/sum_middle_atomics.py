# task: sum_middle
# Partial sums are added to a float32 buffer by atomics; a second kernel rounds it.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def partial(x_ptr, acc_ptr, B, C, BLOCK_B: tl.constexpr, BLOCK_C: tl.constexpr):
    a = tl.program_id(0)
    b = tl.program_id(1) * BLOCK_B + tl.arange(0, BLOCK_B)
    c = tl.program_id(2) * BLOCK_C + tl.arange(0, BLOCK_C)
    x = tl.load(x_ptr + (a * B + b[:, None]) * C + c[None, :], mask=(b < B)[:, None] & (c < C)[None, :], other=0.0)
    tl.atomic_add(acc_ptr + a * C + c, tl.sum(x.to(tl.float32), axis=0), mask=c < C, sem="relaxed")


@triton.jit
def round_down(acc_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(acc_ptr + i, mask=i < n).to(tl.bfloat16), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        a, b, c = x.shape
        acc = torch.zeros((a, c), dtype=torch.float32, device=x.device)
        partial[(a, triton.cdiv(b, 64), triton.cdiv(c, 64))](x, acc, b, c, BLOCK_B=64, BLOCK_C=64)
        y = torch.empty((a, c), dtype=x.dtype, device=x.device)
        round_down[(triton.cdiv(a * c, 256),)](acc, y, a * c, BLOCK=256)
        return y
