# task: met_by_channels  reason: wrong_result
# Thresholds are rounded to bfloat16.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x_ptr, bound_ptr, y_ptr, z_ptr, count, COLS: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    x = tl.load(x_ptr + at, mask=inside, other=0.0)
    b = tl.load(bound_ptr + at % COLS, mask=inside, other=0.0)
    y = tl.where(x > b.to(tl.bfloat16).to(tl.float32), x, 0.0)
    tl.store(y_ptr + at, y, mask=inside)


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.bounds = nn.Parameter(torch.rand(96))

    def forward(self, x):
        y = torch.empty_like(x)
        z = y
        run[(triton.cdiv(x.numel(), 512),)](x, self.bounds, y, z, x.numel(), COLS=x.shape[-1], BLOCK=512)
        return y
