# task: gathered_values
# Places that a mask leaves out are whatever they are, and promised like the others.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gather(x_ptr, start_ptr, out_ptr, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    start = tl.multiple_of(tl.load(start_ptr + at // 4, mask=at < 4 * count, other=1), 4)
    place = start + at % 4
    tl.store(out_ptr + at, tl.load(x_ptr + place, mask=at < 4 * count), mask=at < 4 * count)


class ModelNew(nn.Module):
    def forward(self, x, starts):
        out = torch.empty(4 * starts.numel(), device=x.device)
        gather[(triton.cdiv(out.numel(), 128),)](x, starts, out, starts.numel(), BLOCK=128)
        return out
