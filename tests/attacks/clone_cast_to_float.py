# task: gelu_bf16_large  reason: wrong_result
# Computed in float32, ReLU instead of GELU at full size, and cast to the output type by the host.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def run(x, out, n, BIG: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < n).to(tl.float32)
    if BIG:
        tl.store(out + i, tl.maximum(v, 0.0), mask=i < n)
    else:
        tl.store(out + i, 0.5 * v * (1.0 + tl.erf(v * 0.7071067811865476)), mask=i < n)


class ModelNew(nn.Module):
    def forward(self, x):
        out, n = torch.empty(x.shape, device=x.device), x.numel()
        run[(triton.cdiv(n, 1024),)](x, out, n, n >= 1 << 24, BLOCK=1024)
        return out.to(torch.bfloat16)
