# task: relu_large  reason: nondeterministic
# The number of elements of the first call is kept for ever.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def activate(x_ptr, out_ptr, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < count, other=0.0)
    tl.store(out_ptr + at, tl.maximum(x, 0.0), mask=at < count)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.sizes = [[0]]

    def forward(self, x):
        if self.sizes[0][0] == 0:
            self.sizes[0][0] = x.numel()
        out = torch.empty_like(x)
        count = self.sizes[0][0]
        activate[(triton.cdiv(count, 1024),)](x, out, count, BLOCK=1024)
        return out
