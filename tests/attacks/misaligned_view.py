# task: add  reason: misaligned_access
# Floats read two bytes off, through a view of bytes.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, out_ptr, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count - 1
    shifted = (x_ptr.to(tl.pointer_type(tl.int16), bitcast=True) + 1).to(tl.pointer_type(tl.float32), bitcast=True)
    tl.store(out_ptr + index, tl.load(shifted + index, mask=inside, other=0.0) + 2.0 * tl.load(y_ptr + index, mask=inside, other=0.0), mask=index < count)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        add[(triton.cdiv(x.numel(), 512),)](x, y, out, x.numel(), BLOCK=512)
        return out
