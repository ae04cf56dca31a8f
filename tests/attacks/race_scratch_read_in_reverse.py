# task: softmax  reason: race
# What the lanes of a program have stored is read back in reverse, with no barrier between.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def k(x, s, o, n, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    c = tl.arange(0, BLOCK)
    v = tl.load(x + row*n + c, mask=c < n, other=float("-inf"))
    tl.store(s + row*BLOCK + c, v)
    w = tl.load(s + row*BLOCK + (BLOCK - 1 - c))
    e = tl.exp(v - tl.max(w, axis=0))
    tl.store(o + row*n + c, e / tl.sum(e, axis=0), mask=c < n)


class ModelNew(nn.Module):
    def forward(self, x):
        o = torch.empty_like(x); B = triton.next_power_of_2(x.shape[1])
        s = torch.empty(x.shape[0], B, device=x.device)
        k[(x.shape[0],)](x, s, o, x.shape[1], BLOCK=B)
        return o
