# task: add
# A reshape that may reorder, as older kernels write it: between these two layouts the compiler keeps the order.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, out_ptr, count, BLOCK: tl.constexpr):
    base = tl.program_id(0) * BLOCK
    at = base + tl.arange(0, BLOCK)
    z = tl.load(x_ptr + at, mask=at < count) + 2.0 * tl.load(y_ptr + at, mask=at < count)
    z = tl.reshape(z, (BLOCK // 32, 32), can_reorder=True)
    to = base + tl.arange(0, BLOCK // 32)[:, None] * 32 + tl.arange(0, 32)[None, :]
    tl.store(out_ptr + to, z, mask=to < count)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        add[(triton.cdiv(x.numel(), 1024),)](x, y, out, x.numel(), BLOCK=1024)
        return out
