# task: smoothed
# The associative form of h = 0.9 h + x: how much is left of what came before, and what was added.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def smooth(left_before, before, left_here, here):
    return left_before * left_here, left_here * before + here


@triton.jit
def scan(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * n + tl.arange(0, BLOCK)
    v = tl.load(x + at)
    _, h = tl.associative_scan((tl.full((BLOCK,), 0.9, tl.float32), v), 0, smooth)
    tl.store(out + at, h)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        scan[(x.shape[0],)](x, out, x.shape[1], BLOCK=128)
        return out
