# task: wrong_shapes  reason: task_error
# The task itself fails, so there is nothing to compare with.
import torch
import torch.nn as nn
import triton
import triton.language as tl

@triton.jit
def copy(x_ptr, out_ptr, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + index, mask=index < count)
    tl.store(out_ptr + index, x, mask=index < count)


class ModelNew(nn.Module):
    def forward(self, x, other):
        out = torch.empty_like(x)
        copy[(triton.cdiv(x.numel(), 1024),)](x, out, x.numel(), BLOCK=1024)
        return out
