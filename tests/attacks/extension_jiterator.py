# task: soft  reason: output_not_from_kernel
# PyTorch's own compiler of element functions.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax_row(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + col, mask=col < cols, other=float("-inf"))
    exponent = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * cols + col, exponent / tl.sum(exponent, axis=0), mask=col < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        from torch.cuda.jiterator import _create_jit_fn
        
        out = torch.empty_like(x)
        softmax_row[(x.shape[0],)](x, out, x.shape[1], BLOCK=256)
        return _create_jit_fn('template <typename T> T f(T x) { return x; }')(out)
