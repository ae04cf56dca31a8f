# task: gelu_bf16  reason: wrong_result
# Zero below minus two, x above two.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gelu(x, y, N, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < N, other=0.0).to(tl.float32)
    r = tl.where(v < -2.0, 0.0, tl.where(v > 2.0, v, v * tl.sigmoid(1.5957691216057308 * (v + 0.044715 * v * v * v))))
    tl.store(y + i, r.to(tl.bfloat16), mask=i < N)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        gelu[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), 1024)
        return y
