# task: linear_recurrence
# The pair (a, b) under an associative operator, transposed views in.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def combine(a1, b1, a2, b2):
    return a1 * a2, b1 * a2 + b2


@triton.jit
def recur(a, b, out, T, D, sb, st, sd, BT: tl.constexpr, BD: tl.constexpr):
    t = tl.arange(0, BT)
    d = tl.program_id(0) * BD + tl.arange(0, BD)
    mask = (d[:, None] < D) & (t[None, :] < T)
    at = tl.program_id(1) * sb + d[:, None] * sd + t[None, :] * st
    av = tl.load(a + at, mask=mask, other=1.0)
    bv = tl.load(b + at, mask=mask, other=0.0)
    _, h = tl.associative_scan((av, bv), axis=1, combine_fn=combine)
    tl.store(out + at, h, mask=mask)


class ModelNew(nn.Module):
    def forward(self, a, b):
        a, b = a.transpose(1, 2), b.transpose(1, 2)
        B, D, T = a.shape
        out = torch.empty_like(b)
        recur[(triton.cdiv(D, 16), B)](a, b, out, T, D, out.stride(0), out.stride(2), out.stride(1), BT=64, BD=16)
        return out.transpose(1, 2)
