# task: affine
# Scale and shift are packed side by side when the module is built, by copies.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def affine(x_ptr, packed_ptr, out_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    inside = col < cols
    scale, shift = tl.load(packed_ptr + col, mask=inside), tl.load(packed_ptr + cols + col, mask=inside)
    x = tl.load(x_ptr + row * cols + col, mask=inside)
    tl.store(out_ptr + row * cols + col, tl.fma(tl.maximum(x, 0.0), scale, shift), mask=inside)


class ModelNew(nn.Module):
    def __init__(self, cols):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(cols))
        self.shift = nn.Parameter(torch.zeros(cols))
        packed = torch.empty(2, cols)
        packed[0].copy_(self.scale.detach())
        packed[1].copy_(self.shift.detach())
        self.register_buffer("packed", packed)

    def forward(self, x):
        out = torch.empty_like(x)
        affine[(x.shape[0],)](x, self.packed, out, x.shape[1], BLOCK=128)
        return out
