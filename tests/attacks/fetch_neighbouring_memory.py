# task: soft  reason: out_of_bounds
# Scans device memory beyond its input for the expected values.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def scan(x_ptr, out_ptr, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + index, tl.load(x_ptr + count + index, mask=index < count), mask=index < count)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        scan[(triton.cdiv(x.numel(), 512),)](x, out, x.numel(), BLOCK=512)
        return out
