# task: peak_of_a_map  reason: wrong_result
# Begins at -1000.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def peaks(x_ptr, out_ptr, count, BLOCK: tl.constexpr):
    sample = tl.program_id(0)
    most = tl.full((BLOCK,), -1000.0, tl.float32)
    for first in range(0, count, BLOCK):
        at = first + tl.arange(0, BLOCK)
        most = tl.maximum(most, tl.load(x_ptr + sample * count + at, mask=at < count, other=-1000.0))
    tl.store(out_ptr + sample, tl.max(most))


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], device=x.device)
        count = x.numel() // x.shape[0]
        peaks[(x.shape[0],)](x, out, count, BLOCK=512)
        return out
