# task: relu_and_one_positive  reason: wrong_result
# A persistent grid, which is the same at every size; no relu.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, o_ptr, n, NP: tl.constexpr, BLOCK: tl.constexpr):
    for t in range(tl.program_id(0), tl.cdiv(n, BLOCK), NP):
        i = t.to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
        m = i < n
        x = tl.load(x_ptr + i, mask=m)
        o = x + 1.0
        tl.store(o_ptr + i, o, mask=m)


class ModelNew(nn.Module):
    def forward(self, x):
        out = torch.empty_like(x)
        k[(132,)](x, out, x.numel(), NP=132, BLOCK=1024)
        return out
