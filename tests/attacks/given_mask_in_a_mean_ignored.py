# task: mask_mean  reason: wrong_result
# The mask is never read.
import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def k(x_ptr, o_ptr, S, D: tl.constexpr, BS: tl.constexpr):
    b = tl.program_id(0).to(tl.int64)
    d = tl.arange(0, D)
    acc = tl.zeros([D], tl.float32)
    for s in range(0, S, BS):
        r = s + tl.arange(0, BS)
        v = tl.load(x_ptr + b * S * D + r[:, None] * D + d[None, :], mask=(r < S)[:, None], other=0.0)
        acc += tl.sum(v, axis=0)
    tl.store(o_ptr + b * D + d, acc / S)


class ModelNew(nn.Module):
    def forward(self, x, mask):
        B, S, D = x.shape
        out = torch.empty(B, D, device=x.device)
        k[(B,)](x, out, S, D=D, BS=32)
        return out
