# task: moe_gate  reason: wrong_result
# The weights of the softmax as they are.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def gate(s, weights, experts, E: tl.constexpr):
    t = tl.program_id(0)
    e = tl.arange(0, E)
    v = 30.0 * tl.load(s + t * E + e)
    p = tl.exp(v - tl.max(v, axis=0))
    p = p / tl.sum(p, axis=0)
    i0 = tl.argmax(p, axis=0)
    w0 = tl.max(p, axis=0)
    p = tl.where(e == i0, -1.0, p)
    i1 = tl.argmax(p, axis=0)
    w1 = tl.max(p, axis=0)
    tl.store(weights + t * 2, w0)
    tl.store(weights + t * 2 + 1, w1)
    tl.store(experts + t * 2, i0.to(tl.int64))
    tl.store(experts + t * 2 + 1, i1.to(tl.int64))


class ModelNew(nn.Module):
    def forward(self, scores):
        T, E = scores.shape
        weights, experts = scores.new_empty(T, 2), torch.empty(T, 2, device=scores.device, dtype=torch.int64)
        gate[(T,)](scores, weights, experts, E)
        return weights, experts
