# task: soft  reason: interpret_timeout
# A loop whose step is zero.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def copy(x_ptr, out_ptr, count, step, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    for i in range(0, 10, step):
        tl.store(out_ptr + index, tl.load(x_ptr + index, mask=index < count), mask=index < count)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        copy[(triton.cdiv(out.numel(), 512),)](x, out, out.numel(), 0, BLOCK=512)
        return out
