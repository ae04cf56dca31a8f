# task: place_of_the_top  reason: wrong_result
# Places behind the end count as zeros, which may be the largest.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def places(x_ptr, out_ptr, count, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * count + at, mask=at < count, other=0.0)
    tl.store(out_ptr + row, tl.argmax(x, 0).to(tl.int64))


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty(x.shape[0], dtype=torch.int64, device=x.device)
        count = x.numel() // x.shape[0]
        places[(x.shape[0],)](x, out, count, BLOCK=triton.next_power_of_2(count))
        return out
