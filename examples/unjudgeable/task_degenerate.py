# task: always_zero  reason: task_degenerate
# Writes zeros, which is right, and what every empty kernel would be accepted for.
import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def zeros(x_ptr, out_ptr, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + index, mask=index < count)
    tl.store(out_ptr + index, x * 0.0, mask=index < count)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        zeros[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), BLOCK=1024)
        return out
