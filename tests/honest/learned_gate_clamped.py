# task: learned_gate
# Clamped.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def rows(x_ptr, w_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < cols
    x = tl.load(x_ptr + row * cols + at, mask=inside, other=0.0)
    w = tl.load(w_ptr + at, mask=inside, other=0.0)
    tl.store(out_ptr + row * cols + at, x * tl.minimum(tl.maximum(w, 0.0), 1.0), mask=inside)


class ModelNew(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.w = nn.Parameter(torch.full((dim,), 0.5))

    def forward(self, x):
        out = torch.empty_like(x)
        rows[(x.shape[0],)](x, self.w, out, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return out
