# task: add
# Pointers advance through a loop inside each program.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, y_ptr, out_ptr, count, PER: tl.constexpr, BLOCK: tl.constexpr):
    begin = tl.program_id(0) * PER * BLOCK
    lanes = begin + tl.arange(0, BLOCK)
    x_ptrs, y_ptrs, out_ptrs = x_ptr + lanes, y_ptr + lanes, out_ptr + lanes
    for step in range(PER):
        ok = lanes + step * BLOCK < count
        tl.store(out_ptrs, tl.load(x_ptrs, mask=ok) + 2.0 * tl.load(y_ptrs, mask=ok), mask=ok)
        x_ptrs += BLOCK
        y_ptrs += BLOCK
        out_ptrs += BLOCK


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 4 * 128),)](x, y, out, x.numel(), PER=4, BLOCK=128)
        return out
