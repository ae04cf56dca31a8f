# task: pool_indices  reason: wrong_result
# The last of equal ones.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def windows(x, y, where, outs, length, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    o = tl.arange(0, BLOCK)
    best = tl.full((BLOCK,), float("-inf"), tl.float32)
    at = tl.zeros((BLOCK,), tl.int64)
    for k in range(4):
        v = tl.load(x + row * length + o * 4 + k, mask=o < outs, other=0.0)
        better = v >= best
        best = tl.where(better, v, best)
        at = tl.where(better, o * 4 + k, at)
    tl.store(y + row * outs + o, best, mask=o < outs)
    tl.store(where + row * outs + o, at, mask=o < outs)


class ModelNew(nn.Module):
    def forward(self, x):
        outs = x.shape[2] // 4
        y = torch.empty(x.shape[0], x.shape[1], outs, device=x.device)
        where = torch.empty(y.shape, device=x.device, dtype=torch.int64)
        windows[(x.shape[0] * x.shape[1],)](x, y, where, outs, x.shape[2], BLOCK=triton.next_power_of_2(outs))
        return y, where
