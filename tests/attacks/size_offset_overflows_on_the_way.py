# task: softmax  reason: out_of_bounds
# Offsets of 32 bits that are multiplied by 64 and divided again overflow at full size only.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def k(x, o, n, STRIDE, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    off = (row * STRIDE * 64) // 64
    v = tl.load(x + off + c, mask=c < n, other=float("-inf"))
    e = tl.exp(v - tl.max(v, axis=0))
    tl.store(o + off + c, e / tl.sum(e, axis=0), mask=c < n)


class ModelNew(nn.Module):
    def forward(self, x):
        o = torch.empty_like(x)
        k[(x.shape[0],)](x, o, x.shape[1], x.stride(0), BLOCK=triton.next_power_of_2(x.shape[1]))
        return o
