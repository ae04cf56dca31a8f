# task: momentum_step
# The step is computed into new memory and copied back into the inputs, which are returned.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def step(w, g, m, new_w, new_m, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ok = i < n
    v = tl.fma(tl.load(m + i, mask=ok), 0.9, tl.load(g + i, mask=ok))
    tl.store(new_m + i, v, mask=ok)
    tl.store(new_w + i, tl.load(w + i, mask=ok) - 0.01 * v, mask=ok)


class ModelNew(nn.Module):
    def forward(self, weight, gradient, momentum):
        both = torch.empty(2, weight.numel(), device=weight.device)
        step[(triton.cdiv(weight.numel(), 512),)](weight, gradient, momentum, both[0], both[1], weight.numel(), BLOCK=512)
        weight.copy_(both[0])
        momentum.copy_(both[1])
        return weight, momentum
