# task: gelu_bf16  reason: wrong_result
# x times the sigmoid of 1.702 x.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gelu(x, y, N, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + i, mask=i < N, other=0.0).to(tl.float32)
    r = v * tl.sigmoid(1.702 * v)
    tl.store(y + i, r.to(tl.bfloat16), mask=i < N)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        gelu[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), 1024)
        return y
