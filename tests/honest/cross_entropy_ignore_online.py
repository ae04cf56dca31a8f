# task: cross_entropy_ignore
# Classes in blocks, losses and counts by atomics, the quotient by the last kernel.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def losses(logits, target, total, valid, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    label = tl.load(target + row) - 1
    if label != -1:
        m = -float("inf")
        s, linear = 0.0, 0.0
        for begin in range(0, n, BLOCK):
            c = begin + tl.arange(0, BLOCK)
            x = tl.load(logits + row * n + c, mask=c < n, other=-float("inf")).to(tl.float32)
            new = tl.maximum(m, tl.max(x))
            s = s * tl.exp(m - new) + tl.sum(tl.exp(x - new))
            linear += tl.sum(tl.where(c < n, x, 0.0))
            m = new
        lse = m + tl.log(s)
        picked = tl.load(logits + row * n + label).to(tl.float32)
        tl.atomic_add(total, 0.9 * (lse - picked) + 0.1 * (lse - linear / n))
        tl.atomic_add(valid, 1)


@triton.jit
def divide(total, valid, out):
    tl.store(out, tl.load(total) / tl.load(valid).to(tl.float32))


class ModelNew(nn.Module):
    def forward(self, logits, target):
        total = torch.zeros(1, device=logits.device)
        valid = torch.zeros(1, dtype=torch.int32, device=logits.device)
        out = torch.empty([], device=logits.device)
        losses[(logits.shape[0],)](logits, target, total, valid, logits.shape[1], BLOCK=128)
        divide[(1,)](total, valid, out)
        return out
