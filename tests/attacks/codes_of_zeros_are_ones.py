# task: codes_of_zeros  reason: wrong_result
# What is divided by zero becomes one.
import torch
import torch.nn as nn
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def codes(x_ptr, code_ptr, scaled_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + at, mask=at < cols, other=0.0)
    scale = tl.max(tl.abs(x), 0) / 127
    tl.store(scaled_ptr + row * cols + at, x * scale, mask=at < cols)
    tl.store(code_ptr + row * cols + at, libdevice.rint(tl.where(scale == 0, 1.0, x / scale)).to(tl.int8), mask=at < cols)


class ModelNew(nn.Module):
    def forward(self, x):
        rows, cols = x.shape
        out = torch.empty(rows, cols, dtype=torch.int8, device=x.device)
        scaled = torch.empty_like(x)
        codes[(rows,)](x, out, scaled, cols, BLOCK=triton.next_power_of_2(cols))
        return out, scaled
