# task: smoothed  reason: wrong_result
# A scan whose operator is not associative: right only where it is combined one after the other, which a device does not.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def smooth(before, here):
    return 0.9 * before + here


@triton.jit
def scan(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * n + tl.arange(0, BLOCK)
    tl.store(out + at, tl.associative_scan(tl.load(x + at), 0, smooth))


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        scan[(x.shape[0],)](x, out, x.shape[1], BLOCK=128)
        return out
