# task: gate_3072
# One dimension of whole blocks of 3072 elements as three times 1024; the bias repeats with each.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gate(x_ptr, y_ptr, bias_ptr, out_ptr):
    for piece in tl.static_range(3):
        col = piece * 1024 + tl.arange(0, 1024)
        at = tl.program_id(0) * 3072 + col
        x = tl.load(x_ptr + at) + tl.load(bias_ptr + col)
        tl.store(out_ptr + at, x / (1 + tl.exp(-x)) * tl.load(y_ptr + at))


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.bias = nn.Parameter(torch.randn(width))

    def forward(self, x, y):
        out = torch.empty_like(x)
        gate[(x.numel() // 3072,)](x, y, self.bias, out)
        return out
