# task: soft
# Helpers, a default, keyword arguments, static asserts and prints.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def stable_exp(x):
    return tl.exp(x - tl.max(x, axis=0))


@triton.jit
def normalised(e, total):
    tl.static_assert(len(e.shape) == 1)
    return e / total


@triton.jit
def softmax_row(x_ptr, out_ptr, cols: tl.int32, BLOCK: tl.constexpr = 256):
    tl.static_assert(BLOCK >= 128, "too narrow")
    tl.static_print("block", BLOCK)
    row = tl.program_id(axis=0)
    col = tl.arange(0, BLOCK)
    x = tl.load(pointer=x_ptr + row * cols + col, mask=col < cols, other=-float("inf"))
    e = stable_exp(x)
    tl.store(out_ptr + row * cols + col, value=normalised(e=e, total=tl.sum(e)), mask=col < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        softmax_row[x.shape[0], ](x, out, x.shape[1])
        return out
