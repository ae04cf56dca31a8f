# task: add  reason: wrong_result
# tl.cat may put the elements in any order (and does): stored as if they were in order.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, out_ptr, count, BLOCK: tl.constexpr):
    half: tl.constexpr = BLOCK // 2
    base = tl.program_id(0) * BLOCK
    low = base + tl.arange(0, half)
    high = low + half
    a = tl.load(x_ptr + low, mask=low < count) + 2.0 * tl.load(y_ptr + low, mask=low < count)
    b = tl.load(x_ptr + high, mask=high < count) + 2.0 * tl.load(y_ptr + high, mask=high < count)
    at = base + tl.arange(0, BLOCK)
    tl.store(out_ptr + at, tl.cat(a, b, can_reorder=True), mask=at < count)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        add[(triton.cdiv(x.numel(), 1024),)](x, y, out, x.numel(), BLOCK=1024)
        return out
