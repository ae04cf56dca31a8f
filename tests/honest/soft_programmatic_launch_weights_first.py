# task: soft
# What no earlier kernel of the call writes may be read before the wait.
from triton.language.extra.cuda import gdc_launch_dependents, gdc_wait
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def largest(x_ptr, most_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + col, mask=col < cols, other=float("-inf"))
    gdc_launch_dependents()
    tl.store(most_ptr + row, tl.max(x, axis=0))


@triton.jit
def softmax_of(x_ptr, most_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + col, mask=col < cols, other=float("-inf"))
    gdc_wait()
    exponent = tl.exp(x - tl.load(most_ptr + row))
    tl.store(out_ptr + row * cols + col, exponent / tl.sum(exponent, axis=0), mask=col < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        most = torch.empty(x.shape[0], device=x.device)
        largest[(x.shape[0],)](x, most, x.shape[1], BLOCK=256)
        softmax_of[(x.shape[0],)](x, most, out, x.shape[1], BLOCK=256, launch_pdl=True)
        return out
