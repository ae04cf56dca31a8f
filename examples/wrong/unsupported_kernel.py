# task: softmax  reason: unsupported_kernel
# Calls a function of NVIDIA's library that no module of Triton's has, and that the interpreter does not know.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language import core


@core.extern
def maximum(a, b, _semantic=None):
    kinds = (core.dtype("int32"), core.dtype("int32"))
    return core.extern_elementwise("", "", [a, b], {kinds: ("__nv_max", core.dtype("int32"))}, is_pure=True, _semantic=_semantic)


@triton.jit
def softmax_row(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = maximum(tl.arange(0, BLOCK), tl.zeros((BLOCK,), tl.int32))
    x = tl.load(x_ptr + row * cols + col, mask=col < cols, other=float("-inf"))
    exponent = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * cols + col, exponent / tl.sum(exponent, axis=0), mask=col < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        out = torch.empty_like(x)
        softmax_row[(rows,)](x, out, cols, BLOCK=triton.next_power_of_2(cols))
        return out
