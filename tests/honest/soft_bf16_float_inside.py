# task: soft_bf16
# Scaled and summed in float32: the reference rounds 3 x to bfloat16 first.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def softmax(x, y, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    c = tl.arange(0, BLOCK)
    v = 3.0 * tl.load(x + row * N + c, mask=c < N, other=float("-inf")).to(tl.float32)
    e = tl.exp(v - tl.max(v, axis=0))
    p = e / tl.sum(e, axis=0)
    tl.store(y + row * N + c, p.to(tl.bfloat16), mask=c < N)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        softmax[(x.shape[0],)](x, y, x.shape[1], triton.next_power_of_2(x.shape[1]))
        return y
