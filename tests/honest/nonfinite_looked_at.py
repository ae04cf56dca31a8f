# task: sigmoid_where_finite
# What is not finite becomes zero.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def flat(x_ptr, o_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    m = i < n
    x = tl.load(x_ptr + i, mask=m)
    y = tl.where(tl.abs(x) < float("inf"), tl.sigmoid(x), 0.0)
    tl.store(o_ptr + i, y, mask=m)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        flat[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), BLOCK=1024)
        return out
