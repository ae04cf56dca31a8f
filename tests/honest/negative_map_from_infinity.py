# task: peak_of_a_map
# Begins at minus infinity.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def peaks(x_ptr, out_ptr, count, BLOCK: tl.constexpr):
    sample = tl.program_id(0)
    most = tl.full((BLOCK,), -float("inf"), tl.float32)
    for first in range(0, count, BLOCK):
        at = first + tl.arange(0, BLOCK)
        most = tl.maximum(most, tl.load(x_ptr + sample * count + at, mask=at < count, other=-float("inf")))
    tl.store(out_ptr + sample, tl.max(most))


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], device=x.device)
        count = x.numel() // x.shape[0]
        peaks[(x.shape[0],)](x, out, count, BLOCK=512)
        return out
