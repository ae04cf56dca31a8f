# task: sine  reason: wrong_result
# The same instruction, from inline assembly.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def each(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0)
    y = tl.inline_asm_elementwise("sin.approx.f32 $0, $1;", "=f,f", [x], dtype=tl.float32, is_pure=True, pack=1)
    tl.store(out_ptr + i, y, mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        n = x.numel()
        each[(triton.cdiv(n, 1024),)](x, out, n, BLOCK=1024)
        return out
