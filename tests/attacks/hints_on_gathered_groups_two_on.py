# task: gathered_values  reason: false_promise
# Groups are promised to begin at multiples of four; they begin two places further on.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gather(x_ptr, start_ptr, out_ptr, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    place = tl.load(start_ptr + at // 4, mask=at < 4 * count, other=0) + at % 4 + 2
    place = tl.max_contiguous(tl.multiple_of(place, 4), 4)
    tl.store(out_ptr + at, tl.load(x_ptr - 2 + place, mask=at < 4 * count), mask=at < 4 * count)


class ModelNew(nn.Module):
    def forward(self, x, starts):
        out = torch.empty(4 * starts.numel(), device=x.device)
        gather[(triton.cdiv(out.numel(), 128),)](x, starts, out, starts.numel(), BLOCK=128)
        return out
