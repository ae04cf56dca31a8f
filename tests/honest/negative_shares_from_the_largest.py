# task: shares_of_a_map
# The largest of what is there.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def shares(x_ptr, out_ptr, count, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * count + at, mask=at < count, other=-float("inf"))
    e = tl.exp(x - tl.max(x, 0))
    tl.store(out_ptr + row * count + at, e / tl.sum(e, 0), mask=at < count)


class ModelNew(nn.Module):
    def forward(self, x):
        count = x.numel() // x.shape[0]
        out = torch.empty(x.shape[0], count, device=x.device)
        shares[(x.shape[0],)](x, out, count, BLOCK=triton.next_power_of_2(count))
        return out
