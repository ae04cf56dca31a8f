# task: soft_bf16
# Online: the largest and the sum of a row in one pass, in exponentials to the base of two.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def soft(x_ptr, out_ptr, cols, factor, BLOCK: tl.constexpr):
    row = tl.program_id(0) * cols
    top, total = float("-inf"), 0.0
    for first in range(0, cols, BLOCK):
        j = first + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row + j, mask=j < cols, other=float("-inf"))
        x = (3 * x).to(tl.float32) * factor
        new = tl.maximum(top, tl.max(x, axis=0))
        total = total * tl.exp2(top - new) + tl.sum(tl.exp2(x - new), axis=0)
        top = new
    for first in range(0, cols, BLOCK):
        j = first + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row + j, mask=j < cols, other=0.0)
        y = tl.exp2((3 * x).to(tl.float32) * factor - top) / total
        tl.store(out_ptr + row + j, y.to(tl.bfloat16), mask=j < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        soft[(x.shape[0],)](x, out, x.shape[1], 1.4426950408889634, BLOCK=256)
        return out
