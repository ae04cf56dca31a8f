# task: layer_norm_bf16
# Mean and variance tile by tile, joined as Chan, Golub and LeVeque have it.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def normalise(x_ptr, scale_ptr, shift_ptr, out_ptr, cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * cols
    count, mean, squares = 0.0, 0.0, 0.0
    for first in range(0, cols, BLOCK):
        j = first + tl.arange(0, BLOCK)
        inside = j < cols
        x = tl.load(x_ptr + row + j, mask=inside, other=0.0).to(tl.float32)
        here = tl.minimum(cols - first, BLOCK).to(tl.float32)
        part = tl.sum(x, axis=0) / here
        apart = tl.where(inside, x - part, 0.0)
        delta = part - mean
        mean += delta * here / (count + here)
        squares += tl.sum(apart * apart, axis=0) + delta * delta * count * here / (count + here)
        count += here
    inverse = tl.rsqrt(squares / count + eps)
    for first in range(0, cols, BLOCK):
        j = first + tl.arange(0, BLOCK)
        inside = j < cols
        x = tl.load(x_ptr + row + j, mask=inside, other=0.0).to(tl.float32)
        y = (x - mean) * inverse * tl.load(scale_ptr + j, mask=inside, other=0.0) + tl.load(shift_ptr + j, mask=inside, other=0.0)
        tl.store(out_ptr + row + j, y.to(tl.bfloat16), mask=inside)


class ModelNew(nn.Module):
    def __init__(self, cols):
        super().__init__()
        self.cols = cols
        self.scale = nn.Parameter(torch.ones(cols, dtype=torch.bfloat16))
        self.shift = nn.Parameter(torch.zeros(cols, dtype=torch.bfloat16))

    def forward(self, x):
        out = torch.empty_like(x)
        normalise[(x.shape[0],)](x, self.scale, self.shift, out, self.cols, 1e-5, BLOCK=512)
        return out
