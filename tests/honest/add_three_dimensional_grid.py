# task: add
# A grid of three dimensions, flattened in the kernel.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, out_ptr, count, BLOCK: tl.constexpr):
    pid = (tl.program_id(2) * tl.num_programs(1) + tl.program_id(1)) * tl.num_programs(0) + tl.program_id(0)
    index = pid * BLOCK + tl.arange(0, BLOCK)
    ok = index < count
    y = tl.load(y_ptr + index, ok)
    tl.store(out_ptr + index, tl.load(x_ptr + index, ok) + (y + y), ok)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = x.new_empty(x.shape)
        kernel[(3, 2, triton.cdiv(x.numel(), 6 * 256))](x, y, out, x.numel(), BLOCK=256)
        return out
