# task: add
# A fused multiply-add by inline assembly, of the kind that only touches registers.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def add(x_ptr, y_ptr, out_ptr, count, BLOCK: tl.constexpr):
    index = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = index < count
    x, y = tl.load(x_ptr + index, mask=inside), tl.load(y_ptr + index, mask=inside)
    z = tl.inline_asm_elementwise("fma.rn.f32 $0, $1, 0f40000000, $2;", "=f,f,f", [y, x], dtype=tl.float32, is_pure=True, pack=1)
    tl.store(out_ptr + index, z, mask=inside)


class ModelNew(nn.Module):
    def forward(self, x, y):
        out = torch.empty_like(x)
        add[(triton.cdiv(x.numel(), 512),)](x, y, out, x.numel(), BLOCK=512)
        return out
