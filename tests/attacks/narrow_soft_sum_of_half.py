# task: soft_bf16  reason: wrong_result
# The sum of the exponentials counts every second one, twice.
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
    p = e / (2.0 * tl.sum(tl.where(c % 2 == 0, e, 0.0), axis=0))
    tl.store(y + row * N + c, p.to(tl.bfloat16), mask=c < N)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        softmax[(x.shape[0],)](x, y, x.shape[1], triton.next_power_of_2(x.shape[1]))
        return y
