# task: add  reason: wrong_result
# A reshape that may reorder, taken for one that does not: compiled for blocks of 1024, pairs are no neighbours.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, out_ptr, count, BLOCK: tl.constexpr):
    base = tl.program_id(0) * BLOCK
    at = base + tl.arange(0, BLOCK)
    z = tl.load(x_ptr + at, mask=at < count) + 2.0 * tl.load(y_ptr + at, mask=at < count)
    even, odd = tl.split(tl.reshape(z, (BLOCK // 2, 2), can_reorder=True))
    to = base + 2 * tl.arange(0, BLOCK // 2)
    tl.store(out_ptr + to, even, mask=to < count)
    tl.store(out_ptr + to + 1, odd, mask=to + 1 < count)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        add[(triton.cdiv(x.numel(), 1024),)](x, y, out, x.numel(), BLOCK=1024)
        return out
