# task: distance_from_the_top
# Places behind the end never count.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def below(x_ptr, out_ptr, count, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at, mask=at < count, other=-float("inf"))
    tl.store(out_ptr + at, tl.max(x, 0) - x, mask=at < count)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        below[(1,)](x, out, x.numel(), BLOCK=triton.next_power_of_2(x.numel()))
        return out
