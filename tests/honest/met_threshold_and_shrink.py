# task: met_threshold
# As the reference.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x_ptr, bound_ptr, y_ptr, z_ptr, count, COLS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    x = tl.load(x_ptr + at, mask=inside, other=0.0)
    tl.store(y_ptr + at, tl.where(x > 0.3, x, 20.0), mask=inside)
    tl.store(z_ptr + at, tl.where(tl.abs(x) > 0.7, x, 0.0), mask=inside)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        z = torch.empty_like(x)
        run[(triton.cdiv(x.numel(), 512),)](x, x, y, z, x.numel(), COLS=x.shape[-1], BLOCK=512)
        return y, z
