# task: scaled_tiles
# Descriptors are made by the host and need no allocator.
from triton.tools.tensor_descriptor import TensorDescriptor
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scaled(x, y, out, R: tl.constexpr, C: tl.constexpr):
    r, c = tl.program_id(0) * R, tl.program_id(1) * C
    out.store([r, c], x.load([r, c]) * 2.0 + y.load([r, c]))


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        made = [TensorDescriptor.from_tensor(t, [16, 64]) for t in (x, y, out)]
        scaled[(triton.cdiv(x.shape[0], 16), triton.cdiv(x.shape[1], 64))](*made, R=16, C=64)
        return out
