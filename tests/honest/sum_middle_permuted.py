# task: sum_middle
# The reduced dimension is moved last by a view; the kernel goes by strides.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def reduce_last(x_ptr, y_ptr, n, inner, s0, s1, s2, BLOCK: tl.constexpr):
    a, c = tl.program_id(0), tl.program_id(1)
    total = 0.0
    for begin in range(0, n, BLOCK):
        i = begin + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + a * s0 + c * s1 + i * s2, mask=i < n, other=0.0)
        total += tl.sum(x.to(tl.float32), axis=0)
    tl.store(y_ptr + a * inner + c, total.to(tl.bfloat16))


class ModelNew(nn.Module):
    def forward(self, x):
        last = x.permute(0, 2, 1)
        y = x.new_zeros(last.shape[:2])
        reduce_last[(last.shape[0], last.shape[1])](last, y, last.shape[2], last.shape[1], *last.stride(), BLOCK=512)
        return y
