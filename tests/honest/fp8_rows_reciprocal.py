# task: fp8_rows
# Scales and rows by two kernels; the division is by the exact scale.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scales(x_ptr, scale_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    most = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, cols, BLOCK):
        col = start + tl.arange(0, BLOCK)
        most = tl.maximum(most, tl.abs(tl.load(x_ptr + row * cols + col, mask=col < cols, other=0.0)))
    tl.store(scale_ptr + row, tl.max(most, axis=0) / 448.0)


@triton.jit
def divide(x_ptr, scale_ptr, y_ptr, count, cols, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < count, other=0.0)
    scale = tl.load(scale_ptr + at // cols, mask=at < count, other=1.0)
    tl.store(y_ptr + at, tl.div_rn(x, scale).to(tl.float8e4nv), mask=at < count)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.shape, dtype=torch.float8_e4m3fn, device=x.device)
        scale = torch.empty(x.shape[0], device=x.device)
        scales[(x.shape[0],)](x, scale, x.shape[1], BLOCK=128)
        divide[(triton.cdiv(x.numel(), 512),)](x, scale, y, x.numel(), x.shape[1], BLOCK=512)
        return y, scale
