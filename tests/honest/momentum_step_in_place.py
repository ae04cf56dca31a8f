# task: momentum_step
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def step(w, g, m, n, rate, decay, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = i < n
    v = tl.load(m + i, mask=ok) * decay + tl.load(g + i, mask=ok)
    tl.store(m + i, v, mask=ok)
    tl.store(w + i, tl.load(w + i, mask=ok) - rate * v, mask=ok)


class ModelNew(nn.Module):
    def forward(self, weight, gradient, momentum):
        step[(triton.cdiv(weight.numel(), 1024),)](weight, gradient, momentum, weight.numel(), 0.01, 0.9, BLOCK=1024)
        return weight, momentum
