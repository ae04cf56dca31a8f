# task: degrees
# The counts become floats on the host.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def divide(x_ptr, degree_ptr, out_ptr, DIM: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    col = tl.arange(0, BLOCK)
    degree = tl.maximum(tl.load(degree_ptr + row), 1.0)
    tl.store(out_ptr + row * DIM + col, tl.load(x_ptr + row * DIM + col, mask=col < DIM) / degree, mask=col < DIM)


class ModelNew(nn.Module):
    def forward(self, x, degree):
        out = torch.empty_like(x)
        divide[(x.shape[0],)](x, degree.float(), out, DIM=x.shape[1], BLOCK=128)
        return out
