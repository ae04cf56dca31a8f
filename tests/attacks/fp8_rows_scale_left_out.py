# task: fp8_rows  reason: wrong_result
# The rows are cast as they are: most of them saturate nowhere, and none has the range that was asked for.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def quantise(x_ptr, y_ptr, scale_ptr, cols, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + col, mask=col < cols, other=0.0)
    scale = tl.max(tl.abs(x), axis=0) / 448.0
    tl.store(y_ptr + row * cols + col, x.to(tl.float8e4nv), mask=col < cols)
    tl.store(scale_ptr + row, scale)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x, dtype=torch.float8_e4m3fn)
        scale = torch.empty(x.shape[0], device=x.device)
        quantise[(x.shape[0],)](x, y, scale, x.shape[1], BLOCK=triton.next_power_of_2(x.shape[1]))
        return y, scale
