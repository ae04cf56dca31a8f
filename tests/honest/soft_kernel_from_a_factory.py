# task: soft
# The kernel is made in a function, closes over a constexpr, and is kept on the module.
import torch
import torch.nn as nn
import triton
import triton.language as tl


def make_kernel(block):
    BLOCK = tl.constexpr(block)

    @triton.jit
    def kernel(x_ptr, out_ptr, cols, BLOCK: tl.constexpr):
        row = tl.program_id(0)
        col = tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * cols + col, mask=col < cols, other=float("-inf"))
        e = tl.exp(x - tl.max(x, axis=0))
        tl.store(out_ptr + row * cols + col, e / tl.sum(e, axis=0), mask=col < cols)

    return kernel, BLOCK.value


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.kernel, self.block = make_kernel(256)

    def forward(self, x):
        out = torch.empty_like(x)
        self.kernel[(x.shape[0],)](x, out, x.shape[1], BLOCK=self.block)
        return out
