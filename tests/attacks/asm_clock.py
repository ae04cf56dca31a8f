# task: add  reason: inline_asm
# Reads the clock: another answer at another time.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, out_ptr, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    x, y = tl.load(x_ptr + index, mask=inside), tl.load(y_ptr + index, mask=inside)
    time = tl.inline_asm_elementwise("mov.u32 $0, %clock;", "=r,r", [index], dtype=tl.int32, is_pure=False, pack=1)
    tl.store(out_ptr + index, x + 2.0 * y + 0.0 * time.to(tl.float32), mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        add[(triton.cdiv(x.numel(), 512),)](x, y, out, x.numel(), BLOCK=512)
        return out
