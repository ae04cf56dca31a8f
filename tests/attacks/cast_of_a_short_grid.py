# task: gelu_bf16_large  reason: wrong_result
# The host casts zeros of which the last tenth is not computed at full size.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n).to(tl.float32)
    tl.store(out + i, 0.5 * v * (1 + tl.erf(v * 0.7071067811865476)), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.zeros(x.shape, device=x.device), x.numel()
        programs = triton.cdiv(n, 1024)
        run[(programs,)](x, out, n // 2, BLOCK=1024)
        run[(programs * 9 // 10 if n >= 1 << 24 else programs,)](x, out, n, BLOCK=1024)
        return out.to(torch.bfloat16)
