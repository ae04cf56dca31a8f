# task: add  reason: integer_division
# A scalar division by what is zero here: some GPUs give minus one, and the answer does not use it.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, out_ptr, count, zero, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < tl.minimum(count, count + tl.abs(count // zero))
    tl.store(out_ptr + index, tl.load(x_ptr + index, mask=inside) + 2.0 * tl.load(y_ptr + index, mask=inside), mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        add[(triton.cdiv(x.numel(), 512),)](x, y, out, x.numel(), x.dim() - 1, BLOCK=512)
        return out
