# task: met_in_a_buffer  reason: wrong_result
# What is the threshold is left out.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x_ptr, bound_ptr, y_ptr, z_ptr, count, COLS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    x = tl.load(x_ptr + at, mask=inside, other=0.0)
    b = tl.load(bound_ptr)
    y = tl.where(x > b, x, 0.0)
    tl.store(y_ptr + at, y, mask=inside)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("bound", torch.tensor(0.35))

    def forward(self, x):
        y = torch.empty_like(x)
        z = y
        run[(triton.cdiv(x.numel(), 512),)](x, self.bound, y, z, x.numel(), COLS=x.shape[-1], BLOCK=512)
        return y
