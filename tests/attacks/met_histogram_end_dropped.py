# task: met_histogram  reason: wrong_result
# What is the end of the range is in no bin.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def count(x_ptr, out_ptr, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < count, other=-1.0)
    inside = (x >= 0.0) & (x < 1.0)
    bin = (x * 16.0).to(tl.int32)
    tl.atomic_add(out_ptr + bin, 1.0, mask=inside)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.zeros(16, device=x.device)
        count[(triton.cdiv(x.numel(), 512),)](x, out, x.numel(), BLOCK=512)
        return out
