# task: soft  reason: race
# The second kernel starts early and does not wait for what the first one writes.
from triton.language.extra.cuda import gdc_launch_dependents, gdc_wait
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def exponents(x_ptr, e_ptr, sum_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    gdc_wait()
    x = tl.load(x_ptr + row * cols + col, mask=col < cols, other=float("-inf"))
    exponent = tl.exp(x - tl.max(x, axis=0))
    tl.store(e_ptr + row * cols + col, exponent, mask=col < cols)
    tl.store(sum_ptr + row, tl.sum(exponent, axis=0))
    gdc_launch_dependents()


@triton.jit
def divide(e_ptr, sum_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    exponent = tl.load(e_ptr + row * cols + col, mask=col < cols)
    tl.store(out_ptr + row * cols + col, exponent / tl.load(sum_ptr + row), mask=col < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        out, exponent = torch.empty_like(x), torch.empty_like(x)
        sums = torch.empty(x.shape[0], device=x.device)
        exponents[(x.shape[0],)](x, exponent, sums, x.shape[1], BLOCK=256, launch_pdl=True)
        divide[(x.shape[0],)](exponent, sums, out, x.shape[1], BLOCK=256, launch_pdl=True)
        return out
