# task: tanh_rows  reason: wrong_result
# tanh.approx.f32 is wrong from the eleventh bit on.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x_ptr, out_ptr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at)
    y = tl.inline_asm_elementwise("tanh.approx.f32 $0, $1;", "=f,f", [x], dtype=tl.float32, is_pure=True, pack=1)
    tl.store(out_ptr + at, y)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        run[(x.numel() // 1024,)](x, out, BLOCK=1024)
        return out
