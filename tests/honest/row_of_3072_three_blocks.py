# task: gate_3072
# Three blocks of 1024 a row, the row and the block from a grid of two dimensions.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gate(x_ptr, y_ptr, bias_ptr, out_ptr, WIDTH: tl.constexpr):
    col = tl.program_id(1) * 1024 + tl.arange(0, 1024)
    at = tl.program_id(0) * WIDTH + col
    x = tl.load(x_ptr + at) + tl.load(bias_ptr + col)
    tl.store(out_ptr + at, x * tl.sigmoid(x) * tl.load(y_ptr + at))


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.bias = nn.Parameter(torch.randn(width))

    def forward(self, x, y):
        out = torch.empty_like(x)
        gate[(x.shape[0], 3)](x, y, self.bias, out, WIDTH=x.shape[1])
        return out
