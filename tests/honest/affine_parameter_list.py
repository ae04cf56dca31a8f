# task: affine
# Parameters in a list; the first and the second are taken by index.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def affine(x_ptr, scale_ptr, shift_ptr, out_ptr, count, cols, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    scale, shift = tl.load(scale_ptr + index % cols, mask=inside), tl.load(shift_ptr + index % cols, mask=inside)
    tl.store(out_ptr + index, tl.maximum(tl.load(x_ptr + index, mask=inside), 0.0) * scale + shift, mask=inside)


class ModelNew(nn.Module):
    def __init__(self, cols):
        super().__init__()
        self.weights = nn.ParameterList([torch.ones(cols), torch.zeros(cols)])

    def forward(self, x):
        out = torch.empty_like(x)
        affine[(triton.cdiv(x.numel(), 512),)](x, self.weights[0], self.weights[1], out, x.numel(), x.shape[1], BLOCK=512)
        return out
